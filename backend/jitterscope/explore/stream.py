"""Answers of any length: drives a question of the core that hands out its answer as it is made."""

import asyncio
import json
from collections.abc import AsyncGenerator

from pydantic import TypeAdapter

from jitterscope import _ftrace
from jitterscope.explore.driver import Parameters, fetch_stored, refusals, refuse_unready
from jitterscope.explore.threads import in_thread
from jitterscope.store.database import Database
from jitterscope.store.load_snapshot import LoadGone, load_snapshot
from jitterscope.store.part_cache import PartCache
from jitterscope.store.ready_traces import ReadyTrace
from jitterscope.store.rows import Need

_NEEDS = TypeAdapter(list[Need])

# All of the answer is wanted, however long it takes.
_IS_LATE = False


async def stream(
    database: Database, name: str, parameters: Parameters, *, trace_id: str, base_url: str = ""
) -> AsyncGenerator[bytes]:
    """The bytes of an answer in order, a part at a time; the next is worked on when the last was taken.

    No transaction is open between two parts, so that who reads slowly holds nothing of the database's. All
    parts are of the same load of the trace.

    Raises: NotFound, TraceNotReady, TraceFailed, InvalidParameter; after the first part only TraceNotReady.
    """
    with refusals():
        question = _ftrace.Question(name, json.dumps({**parameters, "trace": trace_id}))
        trace = await database.ready_trace(trace_id) or await refuse_unready(database, trace_id)
        source = _Source(database, base_url, trace)
        parts: list[bytes] = []
        ahead: list[Need] = []
        at_hand: dict[Need, bytes] = {}
        while True:
            work = asyncio.create_task(in_thread(question.go_on, parts, _IS_LATE))
            try:
                at_hand.update({need: await source.fetch(need) for need in ahead})
            finally:
                turn = await work
            if turn.written:
                yield turn.written
            if turn.answer is not None:
                yield turn.answer
                return
            needs = _NEEDS.validate_json(turn.needs)
            ahead = _NEEDS.validate_json(turn.ahead)
            parts = [at_hand[need] if need in at_hand else await source.fetch(need) for need in needs]
            if needs:
                at_hand.clear()


class _Source:
    """One load of a trace, read in a transaction for each need."""

    def __init__(self, database: Database, base_url: str, trace: ReadyTrace) -> None:
        self._database = database
        self._base_url = base_url
        self._trace = trace
        # Blocks pass by once: kept for others they would drive out what those need.
        self._rows = PartCache(0)

    async def fetch(self, need: Need) -> bytes:
        try:
            async with load_snapshot(self._database, self._trace.load) as snapshot:
                return await fetch_stored(
                    self._database, self._base_url, self._trace, snapshot, need, self._rows
                )
        except LoadGone:
            return await refuse_unready(self._database, self._trace.id)
