"""The traces of variants with samples that no summary has: those of tasks of one class, or of two filters."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jitterscope.explore.compare.members import (
    Member,
    Members,
    find_members,
    known_variants,
    of_one_clock,
    ready_of,
)
from jitterscope.explore.compare.request import CompareRequest
from jitterscope.explore.driver import ask
from jitterscope.explore.threads import in_thread
from jitterscope.problems import InvalidParameter
from jitterscope.statistics.histogram import Ints, cell_starts
from jitterscope.store.database import Database
from jitterscope.store.models import Trace
from jitterscope.store.summaries import Summary, samples_of_kind

# A million samples are read in half a second or so.
_MOST_SAMPLES = 10_000_000
# As many as the core keeps as they are in a summary; of more, it keeps the cells.
_MOST_VALUES = 2_048
_EVERY = f"{-(2**63)}..{2**63 - 1}"


async def read_members(
    database: Database, request: CompareRequest, *, with_longest: bool = False
) -> list[Members]:
    """The variants in their order: by sums where there are any, else from the samples of each trace.

    What is the longest sample takes a question for each trace more, and is known of sums in any case.
    Raises: NotFound, TraceNotReady; InvalidParameter for too many traces or samples.
    """
    async with database.session() as session:
        if request.group() is not None:
            return await find_members(session, request)
        selected = await known_variants(session, request.variants)
        keys = [key for _, traces in selected for key in ready_of(traces)]
        counts = await samples_of_kind(session, keys, request.measure.kind)
    _check_size(sum(counts.get(key, 0) for key in keys))
    found = []
    for variant, traces in selected:
        ready = ready_of(traces)
        members = [
            member
            for key, trace in ready.items()
            if key in counts and (member := await _read(database, request, trace, with_longest=with_longest))
        ]
        found.append(Members(variant, traces, members, len(traces) - len(ready), frozenset()))
    return of_one_clock(found)


def _check_size(samples: int) -> None:
    if samples > _MOST_SAMPLES:
        message = (
            f"no sums are kept of these samples, so that all {samples:,} of the traces would be read, and a "
            f"comparison reads {_MOST_SAMPLES:,}; select fewer traces, or give cpu or comm alone"
        )
        raise InvalidParameter("where", message, location="body")


async def _read(
    database: Database, request: CompareRequest, trace: Trace, *, with_longest: bool
) -> Member | None:
    """None for a trace without such samples."""
    asked = request.filters()
    read = json.loads(await ask(database, "latency_values", asked | {"ranges": _EVERY}, trace_id=trace.id))
    if not read["values"]:
        return None
    longest = _Longest()
    if with_longest:
        worst = asked | {"sort": "-duration", "limit": "1"}
        page = json.loads(await ask(database, "latencies", worst, trace_id=trace.id))
        longest = _Longest.of(page["items"])
    return await in_thread(
        lambda: Member.of(trace, _summed(trace.key, read["values"], read["counts"], longest))
    )


@dataclass(frozen=True)
class _Longest:
    """What names the longest sample."""

    start_ns: int = 0
    owner: str = ""
    key: str | None = None

    @classmethod
    def of(cls, items: Sequence[dict[str, object]]) -> _Longest:
        """From the list of cases; `wakeup-1213@2563695119000` is of the owner 1213."""
        if not items:
            return cls()
        item = items[0]
        owner = str(item["id"]).rpartition("@")[0].rpartition("-")[2]
        return cls(int(str(item["t"])), owner, None if item["key"] is None else str(item["key"]))


def _summed(trace_key: int, values: Sequence[int], counts: Sequence[int], longest: _Longest) -> Summary:
    """What the core would have summed up of these samples when it loaded the trace."""
    pairs = list(zip(values, counts, strict=True))
    distinct, weights = np.asarray(values, np.int64), np.asarray(counts, np.int64)
    is_exact = len(values) <= _MOST_VALUES
    if not is_exact:
        distinct, weights = _in_cells(distinct, weights)
    return Summary(
        trace_key=trace_key,
        count=sum(counts),
        total_ns=sum(value * count for value, count in pairs),
        squares=sum(value * value * count for value, count in pairs),
        min_ns=values[0],
        max_ns=values[-1],
        max_start_ns=longest.start_ns,
        max_owner=longest.owner,
        max_key=longest.key,
        is_exact=is_exact,
        values_ns=distinct,
        value_counts=weights,
    )


def _in_cells(values: Ints, counts: Ints) -> tuple[Ints, Ints]:
    starts, begins = np.unique(cell_starts(values), return_index=True)
    return starts, np.add.reduceat(counts, begins)
