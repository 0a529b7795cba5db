"""The calls of one function, as points."""

import json

from pydantic import BaseModel

from jitterscope import _ftrace
from jitterscope.explore.question import Parameters, Question, ask, compute
from jitterscope.problems import NotFound
from jitterscope.store.blocks import BlockId
from jitterscope.store.database import Database


class BlockChoice(BaseModel):
    """Which blocks are looked at; the rest of it is the core's own."""

    blocks: list[BlockId]


async def function_instances(database: Database, trace_id: str, parameters: Parameters) -> bytes:
    """JSON of `schemas.function_instances.FunctionInstances`.

    Raises: NotFound, where the trace has no such function.
    """
    async with ask(database, trace_id, parameters) as question:
        choice, slices = await calls_of_group(question, trace_id, str(parameters["function"]))
        names = (await question.blocks.whole("task"), await question.blocks.whole("symbol"))
        return await compute(_ftrace.instances, question.request, choice, slices, *names)


async def calls_of_group(question: Question, trace_id: str, function: str) -> tuple[str, bytes]:
    """What the core chose to look at for the calls of a group, and the blocks.

    Raises: NotFound.
    """
    blocks = question.blocks
    symbols: list[int] = json.loads(_ftrace.group_symbols(question.request, await blocks.whole("symbol")))
    headers = await blocks.call_headers(symbols) if symbols else "[]"
    choice = _ftrace.choose_blocks(question.request, headers)
    wanted = BlockChoice.model_validate_json(choice).blocks
    if not symbols:
        raise NotFound(f"There is no call of {function!r} in the trace {trace_id!r}.")
    return choice, await blocks.chosen("slice_block", wanted)
