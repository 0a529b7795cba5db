"""Which traces are ready, and what questions need to know of them: one statement for all who ask at once."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.rows import class_row

from jitterscope.problems import DatabaseUnavailable
from jitterscope.store.models import JsonObject
from jitterscope.store.part_cache import Load
from jitterscope.store.trace_ids import is_trace_id

_QUERY = """
SELECT id, key, attempt, origin_ns, duration_ns, cpus, buffers, time_unit, event_count, clock,
    facts ->> 'preemption_model' AS preemption_model,
    concat_ws(
        ',',
        (SELECT string_agg(value, ',') FROM label WHERE trace_key = key AND name IN ('isolcpus', 'isolated')),
        facts ->> 'isolcpus',
        facts ->> 'isolated'
    ) AS isolated
FROM trace WHERE id = ANY(%s) AND status = 'ready'
"""


@dataclass(frozen=True)
class ReadyTrace:
    """What a load found out, which stays as long as the load does, and one thing that labels say."""

    id: str
    key: int
    attempt: int
    origin_ns: int | None
    duration_ns: int | None
    cpus: list[int] | None
    buffers: list[JsonObject] | None
    time_unit: str | None
    event_count: int | None
    clock: str | None
    preemption_model: str | None
    isolated: str
    """CPUs that labels or facts call isolated, as `isolcpus=` lists them; empty if nothing does."""

    @property
    def load(self) -> Load:
        return self.key, self.attempt


# More than these waiting for one statement are a crowd; then there is a pause before the next.
_FEW = 2
_REST_SECONDS = 0.01

Found = Mapping[str, ReadyTrace]

# What the request at work has found, by id.
_FOUND: ContextVar[dict[str, ReadyTrace] | None] = ContextVar("found", default=None)


@contextmanager
def finding_once() -> Iterator[None]:
    """Within it, a trace that was found is not looked up again: a request's answer is about one load."""
    token = _FOUND.set({})
    try:
        yield
    finally:
        _FOUND.reset(token)


class ReadyTraces:
    """Looks traces up on a connection of its own.

    While one statement runs, those who ask wait for the next, and share it: each answer is as new as its
    request, and a crowd costs the database no more than one client. Where many wait, so that each statement
    keeps the event loop from them, the next comes after a pause.
    """

    def __init__(
        self, conninfo: str, connect_args: Mapping[str, Any], seconds: float
    ) -> None:  # Any: libpq's
        self._conninfo = conninfo
        self._connect_args = connect_args
        self._seconds = seconds
        self._connection: psycopg.AsyncConnection | None = None
        self._wanted: set[str] = set()
        self._waiting_count = 0
        self._next: asyncio.Future[Found] | None = None
        self._work: asyncio.Task[None] | None = None

    async def find(self, trace_id: str) -> ReadyTrace | None:
        """The trace, if there is one that is ready.

        Raises: psycopg.Error, DatabaseUnavailable.
        """
        if not is_trace_id(trace_id):
            return None
        before = _FOUND.get()
        if before is not None and trace_id in before:
            return before[trace_id]
        trace = await self._find_now(trace_id)
        if before is not None and trace is not None:
            before[trace_id] = trace
        return trace

    async def _find_now(self, trace_id: str) -> ReadyTrace | None:
        if self._next is None:
            self._next = asyncio.get_running_loop().create_future()
        self._wanted.add(trace_id)
        self._waiting_count += 1
        found = self._next
        if self._work is None:
            self._work = asyncio.create_task(self._look_up())
        # If one caller gives up, others still wait for the same answer.
        return (await asyncio.shield(found)).get(trace_id)

    async def close(self) -> None:
        """Ends the look-up that is under way, and closes the connection."""
        if self._work is not None:
            self._work.cancel()
            await asyncio.wait({self._work})
        await self._disconnect()

    async def _look_up(self) -> None:
        """Answers until no request waits."""
        try:
            while (question := self._next) is not None:
                wanted, self._wanted, self._next = self._wanted, set(), None
                is_crowd, self._waiting_count = self._waiting_count > _FEW, 0
                try:
                    await self._answer(question, wanted)
                finally:
                    # Nobody waits for what was given up, such as at the end of the service.
                    question.cancel()
                if is_crowd:
                    await asyncio.sleep(_REST_SECONDS)
        finally:
            self._work = None

    async def _answer(self, question: "asyncio.Future[Found]", wanted: Iterable[str]) -> None:
        try:
            async with asyncio.timeout(self._seconds):
                question.set_result(await self._read(wanted))
        except (psycopg.Error, TimeoutError) as error:
            await self._disconnect()
            question.set_exception(_failure(error, self._seconds))
            # Read, or asyncio would log that it was never retrieved when all clients have gone.
            question.exception()

    async def _read(self, wanted: Iterable[str]) -> Found:
        ids = list(wanted)
        if self._connection is not None:
            try:
                return await query(self._connection, ids)
            except psycopg.OperationalError:
                # Lost since the last time, as when the database was started again.
                await self._disconnect()
        self._connection = await psycopg.AsyncConnection.connect(
            self._conninfo, autocommit=True, prepare_threshold=1, **self._connect_args
        )
        return await query(self._connection, ids)

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()


async def query(connection: psycopg.AsyncConnection, ids: list[str]) -> Found:
    """Those of the traces that are ready, by id."""
    async with connection.cursor(binary=True, row_factory=class_row(ReadyTrace)) as cursor:
        await cursor.execute(_QUERY, (ids,))
        return {found.id: found for found in await cursor.fetchall()}


def _failure(error: psycopg.Error | TimeoutError, seconds: float) -> Exception:
    if isinstance(error, TimeoutError):
        return DatabaseUnavailable(f"The database did not answer for {seconds:g} s; try again in a moment.")
    return error
