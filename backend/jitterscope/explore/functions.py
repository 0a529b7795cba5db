"""Statistics of every function that was called."""

from jitterscope import _ftrace
from jitterscope.explore.question import Parameters, ask, compute
from jitterscope.store.database import Database


async def functions(database: Database, trace_id: str, parameters: Parameters) -> bytes:
    """JSON of `schemas.functions.FunctionPage`."""
    async with ask(database, trace_id, parameters) as question:
        blocks = question.blocks
        parts = (
            await blocks.whole("function_stat"),
            await blocks.whole("task"),
            await blocks.whole("symbol"),
        )
        return await compute(_ftrace.functions, question.request, *parts)
