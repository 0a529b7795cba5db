"""Blocks of time of the traces of a variant that has too few to be drawn themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.explore.compare.members import Members
from jitterscope.explore.compare.request import CompareRequest
from jitterscope.explore.threads import in_thread
from jitterscope.statistics.resampling import MIN_TRACES
from jitterscope.statistics.time_blocks import Blocks, time_blocks
from jitterscope.store.samples_in_time import samples_in_time

# Samples are read for this one after the other: as many as take a fraction of a second.
_MOST_SAMPLES = 200_000


async def with_blocks(
    session: AsyncSession, request: CompareRequest, variants: Sequence[Members]
) -> list[Members]:
    """The variants; those of fewer than five traces with the blocks of each, if their samples have times."""
    return [await _with_blocks(session, request, members) for members in variants]


async def _with_blocks(session: AsyncSession, request: CompareRequest, members: Members) -> Members:
    having = members.members
    is_many = sum(one.summary.count for one in having) > _MOST_SAMPLES
    # Without times there is no order in which neighbours could be alike.
    has_times = all(one.trace.time_origin == "recorded" for one in having)
    if not 0 < len(having) < MIN_TRACES or is_many or not has_times:
        return members
    values = []
    for one in having:
        found = await samples_in_time(
            session,
            one.trace.key,
            request.measure.kind,
            cpu=request.where.cpu,
            comm=request.where.comm,
            key=request.measure.key,
            classes=request.where.classes(),
        )
        if len(found) != one.summary.count:
            # A bar of a histogram stands for many, whose times nobody knows.
            return members
        values.append(found)

    def work() -> list[Blocks]:
        return [time_blocks(np.asarray(one, np.int64)) for one in values]

    return replace(members, blocks=await in_thread(work))
