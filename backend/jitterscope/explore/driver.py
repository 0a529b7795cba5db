"""Drives the core's questions about stored traces: fetches what they need until they answer.

What every question has in common lives here, once: transactions, refusals, threads, time and caches.
"""

import asyncio
import json
import time
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Never, Protocol

from pydantic import TypeAdapter

from jitterscope import _ftrace
from jitterscope.explore.ready_trace import ready_trace
from jitterscope.explore.threads import in_thread
from jitterscope.problems import InvalidParameter, NotFound, TraceNotReady
from jitterscope.store.database import Database
from jitterscope.store.load_snapshot import LoadGone, LoadSnapshot, load_snapshot
from jitterscope.store.part_cache import LoadParts, PartCache
from jitterscope.store.ready_traces import ReadyTrace
from jitterscope.store.rows import Name, Need, RowReader
from jitterscope.store.side_facts import side_facts

Parameters = Mapping[str, str | int | float | bool | list[str]]

# A question that can answer in part is asked to after this time.
_LATE_SECONDS = 0.03

# What a question does with its parts grows with them; of fewer bytes, the way to a thread takes longer.
_QUICK_BYTES = 16 << 10

_NEEDS = TypeAdapter(list[Need])


class KnownTrace(Protocol):
    """What is known of a recording, be it ready or being loaded."""

    @property
    def origin_ns(self) -> int | None: ...
    @property
    def duration_ns(self) -> int | None: ...
    @property
    def cpus(self) -> list[int] | None: ...
    @property
    def buffers(self) -> list[dict[str, Any]] | None: ...  # Any: shown as they are
    @property
    def time_unit(self) -> str | None: ...
    @property
    def event_count(self) -> int | None: ...
    @property
    def clock(self) -> str | None: ...
    @property
    def preemption_model(self) -> str | None: ...


def trace_facts(trace: KnownTrace, url: str = "") -> dict[str, Any]:  # Any: as the core's TraceFacts has it
    """What every question must know of its trace."""
    return {
        "url": url,
        "time_unit": trace.time_unit or "ns",
        "origin_ns": str(trace.origin_ns or 0),
        "duration_ns": trace.duration_ns or 0,
        "cpus": trace.cpus or [],
        "buffers": [buffer["name"] for buffer in trace.buffers or []],
        "event_count": trace.event_count or 0,
        "clock": trace.clock,
        "preemption_model": trace.preemption_model,
    }


class Source(Protocol):
    """Where the rows of traces come from."""

    async def fetch(self, need: Need) -> bytes:
        """What is needed; mostly a COPY stream."""
        ...

    def keep(self, trace_id: str, name: str, part: bytes) -> None:
        """Have a part at hand for later questions."""
        ...


async def ask(
    database: Database, name: str, parameters: Parameters, *, trace_id: str = "", base_url: str = ""
) -> bytes:
    """The JSON that answers a question of the core (`registry.rs`), as the schema of its endpoint says.

    Raises: NotFound, TraceNotReady, TraceFailed, InvalidParameter.
    """
    with refusals():
        question = _ftrace.Question(name, json.dumps({**parameters, "trace": trace_id}))
        async with AsyncExitStack() as transactions:
            return await drive(question, _Stored(database, base_url, transactions))


@contextmanager
def refusals() -> Iterator[None]:
    """What the core refuses, as the service does."""
    try:
        yield
    except _ftrace.RequestError as error:
        raise InvalidParameter(error.parameter, error.detail, code=error.code, column=error.column) from error
    except _ftrace.MissingError as error:
        raise NotFound(str(error)) from error


async def drive(question: _ftrace.Question, source: Source) -> bytes:
    """The answer. What the question will need next is fetched while it works.

    Raises: RequestError, MissingError, BlockError, and what the source raises.
    """
    late = time.monotonic() + _LATE_SECONDS
    at_hand: dict[Need, bytes] = {}
    parts: list[bytes] = []
    ahead: list[Need] = []
    while True:
        work = asyncio.create_task(_go_on(question, parts, time.monotonic() > late))
        try:
            at_hand = {need: await source.fetch(need) for need in ahead}
        finally:
            turn = await work
        for trace_id, name, part in turn.keeps:
            source.keep(trace_id, name, part)
        if turn.answer is not None:
            return turn.answer
        needs = _NEEDS.validate_json(turn.needs)
        parts = [at_hand[need] if need in at_hand else await source.fetch(need) for need in needs]
        ahead = _NEEDS.validate_json(turn.ahead)


async def _go_on(question: _ftrace.Question, parts: list[bytes], is_late: bool) -> _ftrace.Turn:
    if sum(map(len, parts)) < _QUICK_BYTES:
        return question.go_on(parts, is_late)
    return await in_thread(question.go_on, parts, is_late)


class _Stored:
    """Ready traces, each as one transaction sees it."""

    def __init__(self, database: Database, base_url: str, transactions: AsyncExitStack) -> None:
        self._database = database
        self._base_url = base_url
        self._transactions = transactions
        self._loads: dict[str, _Loaded] = {}

    async def fetch(self, need: Need) -> bytes:
        loaded = await self._load(need.trace)
        rows = self._database.rows
        try:
            return await fetch_stored(
                self._database, self._base_url, loaded.trace, loaded.snapshot, need, rows
            )
        except LoadGone:
            return await refuse_unready(self._database, need.trace)

    def keep(self, trace_id: str, name: str, part: bytes) -> None:
        self._database.parts.keep(self._loads[trace_id].trace.load, ("kept", name), part)

    async def _load(self, trace_id: str) -> "_Loaded":
        """Raises: NotFound, TraceNotReady, TraceFailed."""
        if trace_id not in self._loads:
            trace = await self._database.ready_trace(trace_id) or await refuse_unready(
                self._database, trace_id
            )
            snapshot = await self._transactions.enter_async_context(load_snapshot(self._database, trace.load))
            self._loads[trace_id] = _Loaded(trace, snapshot)
        return self._loads[trace_id]


@dataclass(frozen=True)
class _Loaded:
    trace: ReadyTrace
    snapshot: LoadSnapshot


async def fetch_stored(
    database: Database,
    base_url: str,
    trace: ReadyTrace,
    snapshot: LoadSnapshot,
    need: Need,
    kept_rows: PartCache,
) -> bytes:
    """What is needed of a ready trace. Blocks are kept in `kept_rows`.

    Raises: LoadGone, StatementTooSlow, DatabaseUnavailable.
    """
    parts = LoadParts(database.parts, trace.load)
    url = f"{base_url}/t/{trace.id}"
    match need:
        case Need(table="trace"):
            return json.dumps(trace_facts(trace, url)).encode()
        case Need(table="recording"):
            facts = await side_facts(await snapshot.connection(), trace.key)
            return json.dumps({"url": url, **facts}).encode()
        case Need(table="isolation"):
            return trace.isolated.encode()
        case Need(table="kept", where=(Name(name=name),)):
            return parts.cache.find(parts.load, ("kept", name)) or b""
        case _:
            rows = LoadParts(kept_rows, trace.load)
            return await RowReader(snapshot.connection, trace.key, parts, rows).fetch(need)


async def refuse_unready(database: Database, trace_id: str) -> Never:
    """Says why a trace that was not ready, or is no longer what it was, cannot be asked about."""
    async with database.session() as session:
        await ready_trace(session, trace_id)
    raise TraceNotReady(f"The trace {trace_id!r} has just been loaded; try again.")
