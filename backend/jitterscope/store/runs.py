"""Measurement files and traces of the same run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.store.traces import is_measurement_sql

# The label of a measurement file that holds the id of its trace, and the one that files of a run share.
WITH = "with"
RUN = "run"

_ENDING = re.compile(
    r"(\.(zst|gz|xz|bz2|txt|dat|json|tsv|csv|log|ftrace|trace|report|samples|counts|cyclictest))+$",
    re.IGNORECASE,
)
# A run has a trace and a few files. More than these do not belong together.
_MOST = 50

TiedBy = Literal["with", "run", "name"]


@dataclass(frozen=True)
class RunFile:
    """A file that may be of the same run."""

    key: int
    id: str
    name: str
    is_measurement: bool
    by: TiedBy


@dataclass(frozen=True)
class RunFiles:
    """`tied` are of the same run, as labels say; `proposed` may be, as labels or names hint."""

    own: RunFile
    tied: Sequence[RunFile]
    proposed: Sequence[RunFile]


_CANDIDATES = text(f"""
    WITH own AS (SELECT key, id FROM trace WHERE id = :trace_id), found AS (
        SELECT trace.key, 0 AS rank FROM trace JOIN label ON label.value = trace.id
        WHERE label.trace_key = (SELECT key FROM own) AND label.name = :with
        UNION ALL
        SELECT trace_key, 0 FROM label WHERE name = :with AND value = :trace_id
        UNION ALL
        SELECT theirs.trace_key, 1 FROM label AS mine JOIN label AS theirs USING (name, value)
        WHERE mine.trace_key = (SELECT key FROM own) AND mine.name = :run
        UNION ALL
        SELECT key, 2 FROM trace WHERE name = :stem OR starts_with(name, :stem || '.')
        UNION ALL
        SELECT key, -1 FROM own
    ), best AS (SELECT key, min(rank) AS rank FROM found GROUP BY key)
    SELECT trace.key, trace.id, trace.name, best.rank, {is_measurement_sql("trace.key")} AS is_measurement
    FROM best JOIN trace ON trace.key = best.key
    WHERE trace.status = 'ready'
    ORDER BY best.rank, trace.name, trace.id
    LIMIT :most
""")  # noqa: S608 (no value from outside)


async def run_files(session: AsyncSession, trace_id: str, name: str) -> RunFiles | None:
    """The files of the run of a trace of this name; None where it is not ready."""
    given = {"trace_id": trace_id, "stem": stem_of(name), "with": WITH, "run": RUN, "most": _MOST}
    rows = list(await session.execute(_CANDIDATES, given))
    if not rows or rows[0].rank != -1:
        return None
    by: dict[int, TiedBy] = {-1: "with", 0: "with", 1: "run", 2: "name"}
    own, *others = [RunFile(row.key, row.id, row.name, row.is_measurement, by[row.rank]) for row in rows]
    # A file of measurements belongs to a trace; two traces are two runs, or two parts of one.
    found = [one for one in others if one.is_measurement != own.is_measurement]
    stated = [one for one in found if one.by == "with"]
    of_run = [one for one in found if one.by == "run"]
    if not stated and len(of_run) > 1:
        of_run = [one for one in of_run if stem_of(one.name) == stem_of(own.name)]
    # A file of measurements has one trace. What its own label says goes before what others share.
    tied = stated or (of_run if len(of_run) == 1 or not own.is_measurement else [])
    has_trace = own.is_measurement and bool(tied)
    return RunFiles(own, tied, [] if has_trace else [one for one in found if one not in tied])


def stem_of(name: str) -> str:
    """`cyc-run01` of `cyc-run01.cyclictest.txt`."""
    return _ENDING.sub("", name) or name
