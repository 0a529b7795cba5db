"""Rows of baselines, and what makes one of them doubtful."""

import itertools
import re
from collections.abc import Sequence

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.problems import Conflict, NotFound
from jitterscope.store.experiments import slug_of
from jitterscope.store.models import Baseline, JsonObject

MAX_BASELINES = 1_000


async def create_baseline(session: AsyncSession, columns: JsonObject, slug: str | None) -> Baseline:
    """The saved baseline; its name makes the slug where none is given.

    Raises: Conflict if its slug is taken, or if there are too many.
    """
    # One at a time: whoever saves under a taken name gets the next free slug.
    await session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended("baseline", 0))))
    taken = set(await session.scalars(select(Baseline.slug)))
    if len(taken) >= MAX_BASELINES:
        raise Conflict(
            f"{len(taken):,} baselines are saved, and {MAX_BASELINES:,} is the most; delete some first.",
            code="too_many_baselines",
        )
    if slug in taken:
        raise Conflict(f"There is a baseline {slug!r} already; choose another slug.", code="slug_taken")
    wanted = slug or slug_of(columns["name"])
    numbered = itertools.chain([wanted], (f"{wanted}-{number}" for number in itertools.count(2)))
    row = Baseline(slug=next(free for free in numbered if free not in taken), **columns)
    session.add(row)
    await session.flush()
    await session.refresh(row)
    return row


async def find_baseline(session: AsyncSession, slug: str) -> Baseline:
    """Raises: NotFound."""
    is_slug = re.fullmatch("[a-z0-9-]{1,100}", slug) is not None
    row = await session.get(Baseline, slug) if is_slug else None
    if row is None:
        raise NotFound(f"There is no baseline {slug[:80]!r}.")
    return row


async def change_baseline(session: AsyncSession, slug: str, changes: JsonObject) -> Baseline:
    """The baseline with these columns changed.

    Raises: NotFound.
    """
    row = await find_baseline(session, slug)
    for column, value in changes.items():
        setattr(row, column, value)
    row.changed_at = func.now()
    await session.flush()
    await session.refresh(row)
    return row


async def delete_baseline(session: AsyncSession, slug: str) -> None:
    """Raises: NotFound."""
    await session.delete(await find_baseline(session, slug))


async def all_baselines(session: AsyncSession) -> Sequence[Baseline]:
    """The last changed first; there are at most 1,000."""
    order = Baseline.changed_at.desc(), Baseline.slug
    return (await session.scalars(select(Baseline).order_by(*order))).all()


_INCOMPLETE = text("""
    SELECT DISTINCT incomplete.trace_key
    FROM latency_incomplete AS incomplete
    JOIN latency_kind
        ON latency_kind.trace_key = incomplete.trace_key AND latency_kind.kind = incomplete.kind
    WHERE incomplete.trace_key = ANY(:keys) AND latency_kind.name = :kind
      AND incomplete.reason = ANY(:reasons) AND incomplete.count > 0
""")


async def traces_with_doubt(
    session: AsyncSession, keys: Sequence[int], kind: str, reasons: Sequence[str]
) -> set[int]:
    """Those in which latencies of a kind were not measured for one of these reasons."""
    asked = {"keys": list(keys), "kind": kind, "reasons": list(reasons)}
    return set((await session.execute(_INCOMPLETE, asked)).scalars())
