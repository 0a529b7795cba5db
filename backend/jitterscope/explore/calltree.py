"""Function calls merged by their stacks."""

from jitterscope import _ftrace
from jitterscope.explore.question import Parameters, ask, compute
from jitterscope.store.database import Database


async def calltree(database: Database, trace_id: str, parameters: Parameters) -> bytes:
    """JSON of `schemas.calltree.CallTree`."""
    async with ask(database, trace_id, parameters) as question:
        plan = question.plan(_ftrace.plan_calltree, await question.slice_and_rollup_headers())
        blocks = question.blocks
        parts = (
            await blocks.whole("calltree_block") if plan.tree else b"",
            await blocks.slices(question.window, plan.slices),
            await blocks.whole("task"),
            await blocks.whole("symbol"),
        )
        return await compute(_ftrace.calltree, question.request, *parts)
