"""Comparisons of calls: which blocks hold the two sides, then the core."""

import json
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from jitterscope import _ftrace
from jitterscope.explore.diff_sides import Ref, ask_side, trace_facts
from jitterscope.explore.function_instances import calls_of_group
from jitterscope.explore.question import Parameters, Question, compute
from jitterscope.explore.threads import in_thread
from jitterscope.problems import NotFound
from jitterscope.store.blocks import BlockId, Window
from jitterscope.store.database import Database

_CALLS = 5  # the kind of slice that is a function call
_NONE = "null"

Call = dict[str, Any]  # the core's own


class Located(BaseModel):
    """A call that was found, and the blocks that hold its subtree."""

    call: Call
    blocks: list[BlockId]


class Chosen(BaseModel):
    """Calls of a group: the median one, all of them where they are wanted, and their blocks."""

    median: Call
    members: list[Call]
    spread: dict[str, int] | None
    notes: list[str]
    blocks: list[BlockId]


@dataclass(frozen=True)
class Side:
    """One side as the core takes it: JSON, and the streams that hold it."""

    asked: str
    call: Call
    streams: tuple[bytes, ...]


async def call_diff(
    database: Database, left: Ref, right: Ref | str, parameters: Parameters, urls: tuple[str, str]
) -> bytes:
    """JSON of `schemas.diff.Diff` for two calls, or for one and a set.

    Raises: NotFound, TraceNotReady, TraceFailed, InvalidParameter.
    """
    base_url, page_url = urls
    async with AsyncExitStack() as stack:
        asked = {**left.parameters(), **parameters}
        question = await stack.enter_async_context(ask_side(database, left, asked, base_url))
        trace_url = f"{base_url}/t/{left.trace_id}"
        abnormal = await _side(question, left, trace_url)
        normal_ref, pick = _normal_ref(left, right, abnormal.call)
        other = await stack.enter_async_context(
            ask_side(database, normal_ref, normal_ref.parameters(), base_url)
        )
        trace_url = f"{base_url}/t/{normal_ref.trace_id}"
        if pick is None:
            normal = await _side(other, normal_ref, trace_url)
        else:
            is_same = normal_ref.trace_id == left.trace_id
            group = question.request if left.is_group else None
            excluded = {"call": abnormal.call, "group": group} if is_same else {}
            normal = await _of_group(other, normal_ref, trace_url, pick, excluded)
        return await compute(
            _ftrace.diff_calls,
            question.request,
            page_url,
            abnormal.asked,
            abnormal.streams,
            normal.asked,
            normal.streams,
        )


def _normal_ref(left: Ref, right: Ref | str, abnormal: Call) -> tuple[Ref, str | None]:
    """Where the normal calls are, and whether one or all of them are wanted; None for a call by its name."""
    if isinstance(right, str):
        group = Ref("normal", left.trace_id, f"calls:{abnormal['symbol']}")
        return group, "all" if right == "all" else "one"
    return right, "all" if right.is_group else None


async def _side(question: Question, ref: Ref, trace_url: str) -> Side:
    """The call that a side names; of a group, all of them."""
    if ref.is_group:
        return await _of_group(question, ref, trace_url, "all", {})
    blocks = question.blocks
    found = _ftrace.locate_call(
        question.request,
        await blocks.call_headers(),
        await blocks.slices(question.window, [_CALLS]),
        await blocks.whole("task"),
        await blocks.whole("symbol"),
    )
    if found == _NONE:
        raise NotFound(f"There is no call {ref.what!r} in the trace {ref.trace_id!r}.")
    located = Located.model_validate_json(found)
    asked = {"trace": await trace_facts(question, trace_url), "call": located.call}
    return Side(json.dumps(asked), located.call, await _streams(question, located.blocks, located.call))


async def _of_group(
    question: Question, ref: Ref, trace_url: str, pick: str, excluded: dict[str, Any]
) -> Side:
    """The calls of a group, without the abnormal one and its group."""
    blocks = question.blocks
    function = ref.parameters()["function"]
    choice, calls = await calls_of_group(question, ref.trace_id, str(function))
    found = await in_thread(
        _ftrace.choose_calls,
        question.request,
        pick,
        json.dumps(excluded),
        choice,
        await blocks.call_headers(),
        calls,
        await blocks.whole("task"),
        await blocks.whole("symbol"),
    )
    if found == _NONE:
        other = "other " if excluded else ""
        raise NotFound(
            f"There is no {other}call of {function!r} like that in the trace {ref.trace_id!r}; name a call "
            "to compare with (normal=<trace>/<call>)."
        )
    chosen = Chosen.model_validate_json(found)
    asked = {
        "trace": await trace_facts(question, trace_url),
        "call": chosen.median,
        "members": chosen.members,
        "spread": chosen.spread,
        "notes": chosen.notes,
    }
    return Side(json.dumps(asked), chosen.median, await _streams(question, chosen.blocks, chosen.median))


async def _streams(question: Question, chosen: list[BlockId], call: Call) -> tuple[bytes, ...]:
    """What holds the calls, and what is known around one of them, in the order in which the core takes it."""
    blocks = question.blocks
    window = Window(blocks.trace_key, call["t"], call["t"] + call["duration_ns"] + 1)
    return (
        await blocks.chosen("slice_block", chosen),
        await blocks.whole("symbol"),
        await blocks.whole("loss"),
        await blocks.counters(window),
        await blocks.whole("counter"),
    )
