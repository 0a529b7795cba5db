"""The calls of one function, as points."""

import hashlib
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
        choice, calls = await calls_of_group(question, trace_id, str(parameters["function"]))
        tasks = await question.blocks.whole("task")
        return await compute(_ftrace.instances, question.request, choice, calls, tasks)


async def calls_of_group(question: Question, trace_id: str, function: str) -> tuple[str, bytes]:
    """What the core chose to look at for the calls of a group, and all calls of its function there.

    They are kept for the next question about the function, whatever else that one asks for.
    Raises: NotFound.
    """
    blocks = question.blocks
    symbol = await blocks.whole("symbol")
    symbols: list[int] = json.loads(_ftrace.group_symbols(question.request, symbol))
    if not symbols:
        raise NotFound(f"There is no call of {function!r} in the trace {trace_id!r}.")
    choice = _ftrace.choose_blocks(question.request, await blocks.call_headers(symbols))
    wanted = BlockChoice.model_validate_json(choice).blocks

    async def read() -> bytes:
        slices = await blocks.chosen("slice_block", wanted)
        return await compute(_ftrace.function_calls, question.request, slices, symbol)

    name = hashlib.sha256(json.dumps([symbols, wanted]).encode("ascii")).hexdigest()
    return choice, await blocks.cache.get(f"calls {name}", read)
