"""Rows of saved comparisons."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.store.models import Experiment
from jitterscope.store.saved_rows import SavedRows

EXPERIMENTS = SavedRows(Experiment, "an", "experiment", 10_000)

Position = tuple[datetime, str]


async def experiments_page(
    session: AsyncSession, search: str, limit: int, after: Position | None
) -> tuple[Sequence[Experiment], Position | None]:
    """Those that have every word of the search, the last changed first, and where the next page begins."""
    query = select(Experiment).order_by(Experiment.changed_at.desc(), Experiment.slug.desc())
    text = func.lower(Experiment.name + "\n" + Experiment.note + "\n" + Experiment.slug)
    for word in search.lower().split():
        query = query.where(func.strpos(text, word) > 0)
    if after is not None:
        query = query.where(tuple_(Experiment.changed_at, Experiment.slug) < tuple_(*after))
    rows = (await session.scalars(query.limit(limit + 1))).all()
    page = rows[:limit]
    return page, (page[-1].changed_at, page[-1].slug) if len(rows) > limit else None
