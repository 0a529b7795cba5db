"""Connections to PostgreSQL."""

import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass

import psycopg
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession, async_sessionmaker, create_async_engine

from jitterscope.problems import AppError, DatabaseUnavailable, DiskAlmostFull, StatementTooSlow
from jitterscope.settings import Settings, free_bytes_kept
from jitterscope.store.part_cache import PartCache
from jitterscope.store.pool_trial import try_before_use
from jitterscope.store.ready_traces import ReadyTrace, ReadyTraces


@dataclass(frozen=True)
class TimeLimits:
    """How long a statement, the wait for a lock, and a pause within a transaction may take; 0 is for ever."""

    statement_seconds: float
    lock_seconds: float
    idle_seconds: float


def page_limits(settings: Settings) -> TimeLimits:
    return TimeLimits(settings.page_statement_seconds, lock_seconds=1, idle_seconds=10)


# A load waits for its parser, and its last statement for the deletion of its own trace.
WORKER_LIMITS = TimeLimits(statement_seconds=0, lock_seconds=60, idle_seconds=0)


# A page that gets no connection in this time is refused: its reader has left by the time its turn comes.
_POOL_SECONDS = 5.0
_CONNECT_SECONDS = 5
# A question may compare two traces, each in a transaction of its own.
_CONNECTIONS_OF_QUESTION = 2
_CONNECTIONS_OF_PAGES = 8


def api_connections(settings: Settings) -> int:
    """Connections of the web server: when all questions have theirs, some are left for everything else."""
    return _CONNECTIONS_OF_QUESTION * settings.max_questions + _CONNECTIONS_OF_PAGES


class Database:
    """A pool of at most `connections`, all with the same time limits."""

    def __init__(
        self,
        settings: Settings,
        limits: TimeLimits,
        application_name: str = "jitterscope",
        connections: int = 16,
    ) -> None:
        self._settings = settings
        self._statement_seconds = limits.statement_seconds
        options = {
            "statement_timeout": limits.statement_seconds,
            "lock_timeout": limits.lock_seconds,
            "idle_in_transaction_session_timeout": limits.idle_seconds,
        }
        timeouts = [f"-c {name}={int(value * 1000)}" for name, value in options.items()]
        connect_args = {
            # What is searched for decides how to find it: a plan that does for common words reads all rows of
            # the catalog in the order of the page, one by one, where a word is rare.
            "options": " ".join([*timeouts, "-c plan_cache_mode=force_custom_plan"]),
            "application_name": application_name,
            "connect_timeout": _CONNECT_SECONDS,
        }
        self._engine = create_async_engine(
            settings.sqlalchemy_url,
            pool_size=connections,
            max_overflow=0,
            pool_timeout=_POOL_SECONDS,
            connect_args=connect_args,
        )
        try_before_use(self._engine)
        self._sessions = async_sessionmaker(self._engine, expire_on_commit=False)
        repeatable = self._engine.execution_options(isolation_level="REPEATABLE READ")
        self._snapshots = async_sessionmaker(repeatable, expire_on_commit=False)
        self._autocommit = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._looks = async_sessionmaker(self._autocommit, expire_on_commit=False)
        self._ready = ReadyTraces(
            settings.conninfo, connect_args, limits.statement_seconds + _CONNECT_SECONDS
        )
        self.parts = PartCache()
        self.rows = PartCache(settings.kept_block_bytes)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[AsyncSession]:
        """One transaction: committed at the end of the block, rolled back on an error.

        Raises: StatementTooSlow, DatabaseUnavailable.
        """
        async with self._transaction(self._sessions) as session:
            yield session

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncSession]:
        """One transaction that sees the database as it is at its beginning, whatever is deleted since."""
        async with self._transaction(self._snapshots) as session:
            yield session

    @asynccontextmanager
    async def look(self) -> AsyncIterator[AsyncSession]:
        """For reading only: each statement is its own transaction, which saves to begin and to end one.

        Each sees what was committed before it, as the statements of `session` do.
        Raises: StatementTooSlow, DatabaseUnavailable.
        """
        with self._refusals():
            async with self._looks() as session:
                yield session

    @asynccontextmanager
    async def lasting(self, seconds: float) -> AsyncIterator[AsyncSession]:
        """A transaction whose statements may take longer than a page's, such as a delete."""
        async with self.session() as session:
            await session.execute(text(f"SET LOCAL statement_timeout = {int(seconds * 1000)}"))
            await session.execute(text(f"SET LOCAL lock_timeout = {int(seconds * 1000)}"))
            yield session

    @asynccontextmanager
    async def raw_connection(self) -> AsyncIterator[psycopg.AsyncConnection]:
        """The driver's own connection, for COPY. A transaction that is begun on it ends with the block.

        Raises: StatementTooSlow, DatabaseUnavailable.
        """
        with self._refusals():
            async with self._autocommit.connect() as connection:
                yield await _driver_connection(connection)

    async def ready_trace(self, trace_id: str) -> ReadyTrace | None:
        """The trace as it is now, if it is ready.

        Raises: StatementTooSlow, DatabaseUnavailable.
        """
        with self._refusals():
            return await self._ready.find(trace_id)

    async def close(self) -> None:
        await self._ready.close()
        await self._engine.dispose()

    @asynccontextmanager
    async def _transaction(self, sessions: async_sessionmaker[AsyncSession]) -> AsyncIterator[AsyncSession]:
        with self._refusals():
            async with sessions() as session, session.begin():
                yield session

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        """Says what the database or the pool refuses in our words."""
        try:
            yield
        except PoolTimeoutError as error:
            raise DatabaseUnavailable(
                f"No connection to the database was free for {_POOL_SECONDS:g} s; try again in a moment."
            ) from error
        except (DBAPIError, psycopg.Error) as error:
            refusal = self._refusal(error)
            if refusal is None:
                raise
            raise refusal from error

    def _refusal(self, error: DBAPIError | psycopg.Error) -> AppError | None:
        """The refusal for the caller; None where the statement itself was wrong."""
        # COPY goes around SQLAlchemy, so its errors come as the driver's own.
        match error.orig if isinstance(error, DBAPIError) else error:
            case psycopg.errors.QueryCanceled() | psycopg.errors.LockNotAvailable():
                return StatementTooSlow(
                    f"A database statement took longer than {self._statement_seconds:g} s "
                    "(JITTERSCOPE_PAGE_STATEMENT_SECONDS); ask for a smaller window."
                )
            case psycopg.errors.ConfigurationLimitExceeded():
                return StatementTooSlow(
                    "A database statement needed more room for temporary files than one may have "
                    "(temp_file_limit); ask for a smaller window."
                )
            case psycopg.errors.DiskFull():
                return DiskAlmostFull(
                    "The database's disk is full; delete traces, or make room on the disk, and try again."
                )
            # A question that got lost on its way to the database leaves it waiting, until it hangs up.
            case psycopg.OperationalError() | psycopg.errors.IdleInTransactionSessionTimeout():
                return DatabaseUnavailable(_silence(self._settings))
            case _:
                return None


def _silence(settings: Settings) -> str:
    """That the database does not answer, with the likely reason where the embedded one has no room left."""
    with suppress(OSError):
        usage = shutil.disk_usage(settings.data)
        if usage.free < free_bytes_kept(settings, usage.total):
            return (
                f"The database does not answer, and the disk of the data folder has only {usage.free} bytes "
                "free: make room there. The database comes back when it can write again."
            )
    return "The database does not answer; try again in a moment."


async def driver_connection(session: AsyncSession) -> psycopg.AsyncConnection:
    """The psycopg connection under a session's transaction, for COPY and for binary rows."""
    return await _driver_connection(await session.connection())


async def _driver_connection(connection: AsyncConnection) -> psycopg.AsyncConnection:
    raw = (await connection.get_raw_connection()).driver_connection
    if not isinstance(raw, psycopg.AsyncConnection):
        raise TypeError(f"expected a psycopg connection, got {type(raw).__name__}")
    return raw
