"""What one load of a trace has stored, read in a transaction that begins when something is not at hand."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from psycopg import AsyncConnection, sql

from jitterscope.store.database import Database
from jitterscope.store.part_cache import Load

# Both on one way to the database and back, which takes most of the time that such small statements need.
_BEGIN_IF_READY = sql.SQL(
    "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; "
    "SELECT FROM trace WHERE key = {} AND attempt = {} AND status = 'ready'"
)


class LoadGone(Exception):
    """The trace was deleted, or is loaded again, since it was found."""


@dataclass
class LoadSnapshot:
    """All reads through it see one load, even if the trace is deleted in the meantime."""

    _database: Database
    _load: Load
    _transaction: AsyncExitStack
    _connection: AsyncConnection | None = None

    async def connection(self) -> AsyncConnection:
        """The connection of the one transaction.

        Raises: LoadGone, StatementTooSlow, DatabaseUnavailable.
        """
        if self._connection is None:
            connection = await self._transaction.enter_async_context(self._database.raw_connection())
            answers = await connection.execute(_BEGIN_IF_READY.format(*self._load))
            answers.nextset()
            if answers.rowcount != 1:
                raise LoadGone
            self._connection = connection
        return self._connection


@asynccontextmanager
async def load_snapshot(database: Database, load: Load) -> AsyncIterator[LoadSnapshot]:
    """Ends the transaction with the block, if it has begun."""
    async with AsyncExitStack() as transaction:
        yield LoadSnapshot(database, load, transaction)
