"""Waiting for a trace to change, on one listening connection for the whole process."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator

import psycopg
import structlog
from psycopg import sql

from jitterscope.settings import Settings
from jitterscope.store.database import Database
from jitterscope.store.loads import PROGRESS_CHANNEL
from jitterscope.store.models import Trace
from jitterscope.store.traces import find_by_id

_log = structlog.get_logger()

_RECONNECT_SECONDS = 1.0
_LOOK_AGAIN_SECONDS = 2.0
_LONGEST_KEY = len(str(2**63))


class TraceWatch:
    """Wakes those who wait for a trace whenever the database says that it changed."""

    def __init__(self, settings: Settings) -> None:
        self._conninfo = settings.conninfo
        self._waiting: dict[int, set[asyncio.Event]] = {}

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Listens to the database for as long as it is entered; without that, no waiter is woken."""
        listener = asyncio.create_task(self._listen())
        try:
            yield
        finally:
            listener.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await listener

    @contextlib.contextmanager
    def changes(self, trace_key: int) -> Iterator[asyncio.Event]:
        """An event that is set at every change; clear it before looking at the trace."""
        event = asyncio.Event()
        waiting = self._waiting.setdefault(trace_key, set())
        waiting.add(event)
        try:
            yield event
        finally:
            waiting.discard(event)
            if not waiting:
                self._waiting.pop(trace_key, None)

    async def rows(
        self, database: Database, trace_id: str, trace_key: int, seconds: float | None
    ) -> AsyncIterator[Trace]:
        """The trace now and after every change, until the seconds are over.

        Raises: NotFound once it is deleted.
        """
        loop = asyncio.get_running_loop()
        deadline = None if seconds is None else loop.time() + seconds
        with self.changes(trace_key) as changed:
            while deadline is None or loop.time() < deadline:
                changed.clear()
                async with database.session() as session:
                    row = await find_by_id(session, trace_id)
                yield row
                # A notice can be lost with the listening connection, so no waiter relies on one for long.
                left = _LOOK_AGAIN_SECONDS if deadline is None else deadline - loop.time()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), max(0.0, min(left, _LOOK_AGAIN_SECONDS)))

    async def _listen(self) -> None:
        is_lost = False
        while True:
            try:
                connection = await psycopg.AsyncConnection.connect(self._conninfo, autocommit=True)
                is_lost = False
                async with connection:
                    await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(PROGRESS_CHANNEL)))
                    async for notice in connection.notifies():
                        self._wake(notice.payload)
            except psycopg.OperationalError as error:
                if not is_lost:
                    _log.warning("watch_lost", detail=str(error).strip())
                is_lost = True
                await asyncio.sleep(_RECONNECT_SECONDS)

    def _wake(self, payload: str) -> None:
        # Any client of the database may send notices; Python refuses to read numbers of thousands of digits.
        if payload.isdecimal() and len(payload) <= _LONGEST_KEY:
            for event in self._waiting.get(int(payload), ()):
                event.set()
