"""Saved comparisons as a backup holds them: people's own words, which no recording has."""

from typing import Annotated, Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.store.models import Experiment


class SavedExperiment(BaseModel):
    """One saved comparison. Fields of a later version are left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore", from_attributes=True)

    slug: Annotated[str, Field(pattern="^[a-z0-9-]{1,100}$")]
    name: str
    note: str
    comparison: dict[str, Any]  # as it was stored: what it means is for the one who opens it
    view: dict[str, str]
    created_at: AwareDatetime
    changed_at: AwareDatetime


async def all_experiments(session: AsyncSession) -> list[SavedExperiment]:
    """Every saved comparison, in the order of slugs."""
    rows = await session.scalars(select(Experiment).order_by(Experiment.slug))
    return [SavedExperiment.model_validate(row) for row in rows]


async def put_back(session: AsyncSession, saved: list[SavedExperiment]) -> None:
    """Those that are not there, as they were."""
    if saved:
        rows = [one.model_dump() for one in saved]
        await session.execute(insert(Experiment).on_conflict_do_nothing(), rows)
