"""Function calls over time: the flame chart, and one call with those that it lies in."""

from jitterscope import _ftrace
from jitterscope.explore.question import Parameters, ask, compute
from jitterscope.problems import NotFound
from jitterscope.store.database import Database

_CALLS = 5  # the kind of slice that is a function call


async def calls(database: Database, trace_id: str, parameters: Parameters) -> bytes:
    """JSON of `schemas.calls.Calls`."""
    async with ask(database, trace_id, parameters) as question:
        plan = question.plan(_ftrace.plan_calls, await question.slice_and_rollup_headers())
        blocks, window = question.blocks, question.window
        parts = (
            await blocks.slices(window, plan.slices),
            await blocks.rollups(window, plan.rollups),
            await blocks.whole("task"),
            await blocks.whole("symbol"),
        )
        return await compute(_ftrace.calls, question.request, *parts)


async def call(database: Database, trace_id: str, call_id: str) -> bytes:
    """JSON of `schemas.calls.CallInContext`.

    Raises: NotFound, also where the id is well-formed but nobody has it.
    """
    async with ask(database, trace_id, {"id": call_id}) as question:
        parts = (
            await question.blocks.slices(question.window, [_CALLS]),
            await question.blocks.whole("task"),
            await question.blocks.whole("symbol"),
        )
        answer = await compute(_ftrace.call, question.request, *parts)
    if answer == b"null":
        raise NotFound(f"There is no call {call_id!r} in the trace {trace_id!r}.")
    return answer
