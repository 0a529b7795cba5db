"""One latency case, with what explains it."""

import asyncio
import json

from pydantic import BaseModel

from jitterscope import _ftrace
from jitterscope.explore.latency_scan import with_series
from jitterscope.explore.question import Question, ask, compute
from jitterscope.problems import NotFound
from jitterscope.store.blocks import BlockId, Window
from jitterscope.store.database import Database

_NONE = "null"


class SamplePlan(BaseModel):
    """Blocks in which the case is to be found."""

    samples: list[BlockId]
    slices: list[BlockId]
    events: list[int]


class Needs(BaseModel):
    """What the core wants to see of a case that was found; the rest of it is the core's own."""

    slices: list[BlockId]
    events: list[int]
    start_ns: int
    end_ns: int


async def latency_case(database: Database, trace_id: str, case_id: str, url: str) -> bytes:
    """JSON of `schemas.latency_case.LatencyCase`.

    Raises: NotFound, also where the id is well-formed but nobody has it.
    """
    async with ask(database, trace_id, {"case": case_id}, url) as asked:
        question = await with_series(asked)
        located = await _located(question)
        if located == _NONE:
            raise NotFound(f"There is no case {case_id!r} in the trace {trace_id!r}.")
        needs, blocks = Needs.model_validate_json(located), question.blocks
        window = Window(question.window.trace_key, needs.start_ns, needs.end_ns + 1)
        known = {"switched_cpus": await blocks.switched_cpus()}
        parts = (
            await blocks.chosen("slice_block", needs.slices),
            await blocks.events(needs.events),
            await blocks.counters(window),
            await blocks.stacks(window),
            await blocks.whole("loss"),
            await blocks.whole("task"),
            await blocks.whole("symbol"),
            await blocks.whole("event_type"),
            await blocks.whole("counter"),
        )
        return await compute(_ftrace.case, question.request, located, json.dumps(known), *parts)


async def _located(question: Question) -> str:
    """JSON of the case and of what explains it, else of null."""
    blocks = question.blocks
    headers = await blocks.latency_headers()
    types = question.event_types
    series_headers = "[]" if types is None else await blocks.event_headers_of(types)
    planned = _ftrace.plan_case(question.request, headers, series_headers)
    if planned == _NONE:
        return _NONE
    plan = SamplePlan.model_validate_json(planned)
    return await asyncio.to_thread(
        _ftrace.locate_case,
        question.request,
        headers,
        await blocks.event_headers(),
        await blocks.chosen("sample_block", plan.samples),
        await blocks.chosen("slice_block", plan.slices),
        await blocks.events(plan.events),
        await blocks.whole("task"),
        await blocks.whole("symbol"),
    )
