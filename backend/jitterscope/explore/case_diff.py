"""Comparisons of latency cases by their events: what surrounds the two, then the core."""

import json
from contextlib import AsyncExitStack
from dataclasses import dataclass

from pydantic import BaseModel

from jitterscope import _ftrace
from jitterscope.explore.diff_sides import Ref, ask_side, trace_facts
from jitterscope.explore.latency_case import case_streams, known_of_trace, located_case
from jitterscope.explore.latency_scan import with_series
from jitterscope.explore.question import Parameters, Question, compute
from jitterscope.problems import InvalidParameter, NotFound
from jitterscope.store.database import Database


class Located(BaseModel):
    """A case that was found; the rest of it is the core's own."""

    normal: str | None


@dataclass(frozen=True)
class Side:
    """One side as the core takes it: JSON, and the streams that hold it."""

    asked: str
    normal: str | None
    streams: tuple[bytes, ...]


async def case_diff(
    database: Database, left: Ref, right: Ref | str, parameters: Parameters, urls: tuple[str, str]
) -> bytes:
    """JSON of `schemas.diff.Diff` for two cases of one kind.

    Raises: NotFound, TraceNotReady, TraceFailed, InvalidParameter.
    """
    base_url, page_url = urls
    if right == "all":
        message = "a case is compared with one other: auto, or <trace>/<case>"
        raise InvalidParameter("normal", message)
    async with AsyncExitStack() as stack:
        asked = {**left.parameters(), **parameters}
        question = await stack.enter_async_context(ask_side(database, left, asked, base_url))
        abnormal = await _side(question, left, base_url)
        normal_ref = right if isinstance(right, Ref) else _normal_of(left, abnormal)
        other = await stack.enter_async_context(
            ask_side(database, normal_ref, normal_ref.parameters(), base_url)
        )
        normal = await _side(other, normal_ref, base_url)
        return await compute(
            _ftrace.diff_cases,
            question.request,
            page_url,
            abnormal.asked,
            abnormal.streams,
            normal.asked,
            normal.streams,
        )


def _normal_of(left: Ref, abnormal: Side) -> Ref:
    """The case that the page of the abnormal one names."""
    if abnormal.normal is None:
        raise NotFound(
            f"There is no other case like {left.what!r} in the trace {left.trace_id!r}; name a case to "
            "compare with (normal=<trace>/<case>)."
        )
    return Ref("normal", left.trace_id, abnormal.normal)


async def _side(asked_of: Question, ref: Ref, base_url: str) -> Side:
    question = await with_series(asked_of)
    located = await located_case(question, ref.trace_id, ref.what)
    asked = {
        "trace": trace_facts(question.trace, f"{base_url}/t/{ref.trace_id}"),
        "located": located,
        "known": await known_of_trace(question),
        "origin_ns": str(question.trace.origin_ns or 0),
    }
    normal = Located.model_validate_json(located).normal
    return Side(json.dumps(asked), normal, await case_streams(question, located))
