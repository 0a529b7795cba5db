"""What takes the time of CPUs and tasks."""

from jitterscope import _ftrace
from jitterscope.explore.question import Parameters, ask, compute
from jitterscope.store.database import Database
from jitterscope.store.isolation import isolated_cpus


async def interference(database: Database, trace_id: str, parameters: Parameters) -> bytes:
    """JSON of `schemas.interference.Interference`."""
    async with ask(database, trace_id, parameters) as question:
        blocks = question.blocks
        isolated = await isolated_cpus(await blocks.connect(), blocks.trace_key)
        parts = (
            await blocks.whole("interference"),
            await blocks.whole("task"),
            await blocks.whole("symbol"),
        )
        asked = question.with_parameters({"isolated": isolated})
        return await compute(_ftrace.interference, asked.request, *parts)
