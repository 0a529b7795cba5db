"""Comparisons of latency cases by their events: what surrounds the two, then the core."""

import json
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from jitterscope import _ftrace
from jitterscope.explore.diff_sides import Ref, ask_side, trace_facts
from jitterscope.explore.latency_case import case_streams, known_of_trace, located_case
from jitterscope.explore.latency_scan import with_series
from jitterscope.explore.question import Parameters, Question, compute
from jitterscope.explore.threads import in_thread
from jitterscope.problems import NotFound
from jitterscope.store.blocks import BlockId
from jitterscope.store.database import Database

_NONE = "null"


class Located(BaseModel):
    """A case that was found; the rest of it is the core's own."""

    normal: str | None


class Plan(BaseModel):
    """Blocks in which a group is to be found; the rest of it is the core's own."""

    samples: list[BlockId]
    slices: list[BlockId]


@dataclass(frozen=True)
class Side:
    """One side as the core takes it: JSON, and the streams that hold it."""

    asked: str
    # What the core said of the case; None of a group.
    located: str | None
    streams: tuple[bytes, ...]


async def case_diff(
    database: Database, left: Ref, right: Ref | str, parameters: Parameters, urls: tuple[str, str]
) -> bytes:
    """JSON of `schemas.diff.Diff` for two cases of one kind, for one and a set, or for two sets.

    Raises: NotFound, TraceNotReady, TraceFailed, InvalidParameter.
    """
    base_url, page_url = urls
    async with AsyncExitStack() as stack:
        asked = {**left.parameters(), **parameters}
        question = await stack.enter_async_context(ask_side(database, left, asked, base_url))
        if left.is_group:
            abnormal = await _of_group(question, left, base_url, "all", {})
        else:
            abnormal = await _one(question, left, base_url)
        normal_ref, pick = _normal_ref(left, right, abnormal)
        wanted = left.case_kind if isinstance(right, str) and pick else normal_ref.parameters()
        other = await stack.enter_async_context(ask_side(database, normal_ref, wanted, base_url))
        if pick is None:
            normal = await _one(other, normal_ref, base_url)
        else:
            is_same = normal_ref.trace_id == left.trace_id
            excluded = _excluded(question, abnormal) if is_same else {}
            normal = await _of_group(other, normal_ref, base_url, pick, excluded)
        return await compute(
            _ftrace.diff_cases,
            question.request,
            page_url,
            abnormal.asked,
            abnormal.streams,
            normal.asked,
            normal.streams,
        )


def _normal_ref(left: Ref, right: Ref | str, abnormal: Side) -> tuple[Ref, str | None]:
    """Where the normal cases are, and whether one or all of them are wanted; None for a case by its name.

    Raises: NotFound.
    """
    if isinstance(right, Ref):
        return right, "all" if right.is_group else None
    kind = Ref("normal", left.trace_id, f"cases:{left.case_kind['kind']}")
    if right == "all":
        return kind, "all"
    if abnormal.located is None:
        return kind, "one"
    normal = Located.model_validate_json(abnormal.located).normal
    if normal is None:
        raise NotFound(
            f"There is no other case like {left.what!r} in the trace {left.trace_id!r}; name a case to "
            "compare with (normal=<trace>/<case>)."
        )
    return Ref("normal", left.trace_id, normal), None


def _excluded(question: Question, abnormal: Side) -> dict[str, Any]:
    """What is no normal case: the abnormal one, or its group."""
    if abnormal.located is None:
        return {"group": question.request}
    return {"located": json.loads(abnormal.located)}


async def _one(asked_of: Question, ref: Ref, base_url: str) -> Side:
    question = await with_series(asked_of)
    located = await located_case(question, ref.trace_id, ref.what)
    asked = {"located": located, **await _known(question, ref, base_url)}
    return Side(json.dumps(asked), located, await case_streams(question, located))


async def _of_group(asked_of: Question, ref: Ref, base_url: str, pick: str, excluded: dict[str, Any]) -> Side:
    """The cases of a group, without the abnormal one or its group."""
    question = await with_series(asked_of)
    blocks = question.blocks
    headers = await blocks.latency_headers()
    planned = await in_thread(_ftrace.plan_cases, question.request, headers)
    plan = Plan.model_validate_json(planned)
    chosen = await in_thread(
        _ftrace.choose_cases,
        question.request,
        pick,
        json.dumps(excluded),
        planned,
        headers,
        await blocks.event_headers(),
        await blocks.chosen("sample_block", plan.samples),
        await blocks.sample_slices(plan.slices),
        await blocks.whole("task"),
        await blocks.whole("symbol"),
    )
    if chosen == _NONE:
        other = "other case like that" if excluded else f"case of {ref.what!r}"
        raise NotFound(
            f"There is no {other} in the trace {ref.trace_id!r}; name a case to compare with "
            "(normal=<trace>/<case>)."
        )
    asked = {"chosen": chosen, **await _known(question, ref, base_url)}
    return Side(json.dumps(asked), None, await case_streams(question, chosen))


async def _known(question: Question, ref: Ref, base_url: str) -> dict[str, Any]:
    return {
        "trace": await trace_facts(question, f"{base_url}/t/{ref.trace_id}"),
        "known": await known_of_trace(question),
        "origin_ns": str(question.trace.origin_ns or 0),
    }
