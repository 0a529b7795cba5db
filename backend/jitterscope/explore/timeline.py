"""What a screen of some width needs of a window, whatever the trace's size."""

from jitterscope import _ftrace
from jitterscope.explore.question import Parameters, ask, compute
from jitterscope.store.database import Database


async def timeline(database: Database, trace_id: str, parameters: Parameters) -> bytes:
    """JSON of `schemas.timeline.Timeline`."""
    async with ask(database, trace_id, parameters) as question:
        plan = question.plan(_ftrace.plan_timeline, await question.slice_and_rollup_headers())
        blocks, window = question.blocks, question.window
        parts = (
            await blocks.slices(window, plan.slices),
            await blocks.rollups(window, plan.rollups),
            await blocks.counters(window) if plan.counters else b"",
            await blocks.whole("task"),
            await blocks.whole("symbol"),
            await blocks.whole("counter"),
            await blocks.whole("loss"),
            await blocks.whole("note"),
        )
        return await compute(_ftrace.timeline, question.request, *parts)
