"""One question about one trace: its parameters as the core takes them, and the blocks to answer it from."""

import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Never

from pydantic import BaseModel

from jitterscope import _ftrace
from jitterscope.explore.ready_trace import ready_trace
from jitterscope.explore.threads import in_thread
from jitterscope.problems import InvalidParameter, TraceNotReady
from jitterscope.store.blocks import BlockReader, Wanted, Window
from jitterscope.store.database import Database
from jitterscope.store.load_snapshot import LoadGone, LoadSnapshot, load_snapshot
from jitterscope.store.part_cache import LoadParts
from jitterscope.store.ready_traces import ReadyTrace

Parameters = Mapping[str, str | int | float | bool | list[str]]
Json = dict[str, Any]  # Any: JSON that is passed on as it is


class BlockPlan(BaseModel):
    """Kinds of slices and (kind, level) of rollups to fetch; what a plan leaves out is not needed."""

    slices: list[int] = []
    rollups: list[tuple[int, int]] = []
    counters: bool = False
    tree: bool = False


@dataclass(frozen=True)
class Question:
    """`request` is what the core takes: the parameters, and what it must know of the trace."""

    request: str
    window: Window
    blocks: BlockReader
    trace: ReadyTrace
    # Types of the events whose field is asked for, where it is read from the events themselves.
    event_types: list[int] | None = None

    def plan(self, planner: Callable[[str, str], str], headers: object) -> BlockPlan:
        """What the core wants to see of the blocks that the headers describe."""
        return BlockPlan.model_validate_json(planner(self.request, json.dumps(headers)))

    async def slice_and_rollup_headers(self) -> dict[str, Sequence[Sequence[int]]]:
        return {
            "slices": await self.blocks.slice_headers(self.window),
            "rollups": await self.blocks.rollup_headers(),
        }

    async def wanted(self) -> Wanted:
        """What a block must hold for anything in it to match."""
        tables = (await self.blocks.whole("task"), await self.blocks.whole("event_type"))
        return Wanted.model_validate_json(await compute(_ftrace.wanted_in_blocks, self.request, *tables))

    def continued(self, cursor: str, limit: int, step: int) -> "Question":
        """The same question from where a step of its answer ended; `step` counts them."""
        return self.with_parameters({"cursor": cursor, "limit": limit, "step": step})

    def with_parameters(self, parameters: Parameters | Json) -> "Question":
        """The same question with more that the core must know."""
        return replace(self, request=json.dumps(json.loads(self.request) | parameters))


@asynccontextmanager
async def ask(
    database: Database, trace_id: str, parameters: Parameters, url: str = ""
) -> AsyncIterator[Question]:
    """A question about a ready trace. Mistakes that the core finds in the parameters are refusals.

    `url` is the permalink of the trace, for answers that hold permalinks.

    Raises: NotFound, TraceNotReady, TraceFailed, InvalidParameter.
    """
    try:
        trace = await database.ready_trace(trace_id) or await _not_ready(database, trace_id)
        async with load_snapshot(database, trace.load) as snapshot:
            yield _question(snapshot, database, trace, parameters, url)
    except LoadGone:
        await _not_ready(database, trace_id)
    except _ftrace.RequestError as error:
        raise InvalidParameter(error.parameter, error.detail, code=error.code, column=error.column) from error


async def _not_ready(database: Database, trace_id: str) -> Never:
    """Says why a trace that was not ready, or is no longer what it was, cannot be asked about."""
    async with database.session() as session:
        await ready_trace(session, trace_id)
    raise TraceNotReady(f"The trace {trace_id!r} has just been loaded; ask again.")


def _question(
    snapshot: LoadSnapshot, database: Database, trace: ReadyTrace, parameters: Parameters, url: str
) -> Question:
    known = {
        "origin_ns": str(trace.origin_ns or 0),
        "duration_ns": trace.duration_ns or 0,
        "cpus": trace.cpus or [],
        "buffers": buffer_names(trace),
        "url": url,
        "time_unit": trace.time_unit or "ns",
    }
    asked = dict(parameters)
    if (stamp := asked.pop("at", None)) is not None:
        asked["start"] = start_at(str(stamp), trace.origin_ns or 0, asked)
    request = json.dumps({**asked, "trace": known})
    start_ns, end_ns = _ftrace.window(request)
    window = Window(trace.key, start_ns, end_ns)
    parts, rows = LoadParts(database.parts, trace.load), LoadParts(database.rows, trace.load)
    blocks = BlockReader(snapshot.connection, trace.key, parts, rows)
    return Question(request, window, blocks, trace)


def buffer_names(trace: ReadyTrace) -> list[str | None]:
    """Names of the buffers that events come from, by number; None for the top one."""
    return [buffer["name"] for buffer in trace.buffers or []]


def start_at(stamp: str, origin_ns: int, others: Parameters) -> str:
    """The parameter `start` for a stamp as the file prints it; clocks that count no seconds print integers.

    Raises: InvalidParameter.
    """
    if "start" in others:
        raise InvalidParameter("at", "stands in place of start; give one of them")
    if "." in stamp:
        return stamp
    if not stamp.isdecimal():
        raise InvalidParameter("at", "must be a stamp as the file prints it, such as 14372.732649")
    return str(int(stamp) - origin_ns)


async def compute(work: Callable[..., bytes], *arguments: object) -> bytes:
    """The core's answer, worked out beside the event loop."""
    return await in_thread(work, *arguments)
