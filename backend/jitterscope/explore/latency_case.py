"""One latency case, with what explains it."""

import json

from pydantic import BaseModel

from jitterscope import _ftrace
from jitterscope.explore.latency_scan import with_series
from jitterscope.explore.question import Question, ask, buffer_names, compute
from jitterscope.explore.threads import in_thread
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
        located = await located_case(question, trace_id, case_id)
        known = await known_of_trace(question)
        parts = await case_streams(question, located)
        return await compute(_ftrace.case, question.request, located, known, *parts)


async def known_of_trace(question: Question) -> str:
    """JSON of what the core has to know of the trace besides its blocks."""
    switched_cpus = await question.blocks.switched_cpus()
    return json.dumps({"switched_cpus": switched_cpus, "buffers": buffer_names(question.trace)})


async def case_streams(question: Question, located: str) -> tuple[bytes, ...]:
    """What explains a case, in the order in which the core takes it."""
    needs, blocks = Needs.model_validate_json(located), question.blocks
    window = Window(question.window.trace_key, needs.start_ns, needs.end_ns + 1)
    return (
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


async def located_case(question: Question, trace_id: str, case_id: str) -> str:
    """JSON of the case and of what explains it.

    Raises: NotFound.
    """
    located = await _located(question)
    if located == _NONE:
        raise NotFound(f"There is no case {case_id!r} in the trace {trace_id!r}.")
    return located


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
    return await in_thread(
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
