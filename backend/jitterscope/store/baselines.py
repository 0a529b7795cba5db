"""Rows of baselines, and what makes one of them doubtful."""

from collections.abc import Sequence

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.store.models import Baseline
from jitterscope.store.saved_rows import SavedRows

BASELINES = SavedRows(Baseline, "a", "baseline", 1_000)


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
    params = {"keys": list(keys), "kind": kind, "reasons": list(reasons)}
    return set((await session.execute(_INCOMPLETE, params)).scalars())
