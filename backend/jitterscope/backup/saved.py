"""Saved comparisons and baselines as a backup holds them: people's own words, which no recording has."""

from typing import Annotated, Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.store.models import Baseline, Experiment, SavedRow


class _SavedBase(BaseModel):
    """What both have. Fields of a later version are left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore", from_attributes=True)

    slug: Annotated[str, Field(pattern="^[a-z0-9-]{1,100}$")]
    name: str
    note: str
    created_at: AwareDatetime
    changed_at: AwareDatetime


# What the JSON means is for the one who opens it: it is kept as it was stored.
class SavedExperiment(_SavedBase):
    """One saved comparison."""

    comparison: dict[str, Any]
    view: dict[str, str]


class SavedBaseline(_SavedBase):
    """One baseline."""

    variant: dict[str, Any]
    where: dict[str, Any]


class Saved(BaseModel):
    """All that people saved. Backups of earlier versions have none of it, or comparisons only."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    experiments: list[SavedExperiment] = []
    baselines: list[SavedBaseline] = []


async def all_saved(session: AsyncSession) -> Saved:
    """Every saved comparison and baseline, in the order of slugs."""
    experiments = await session.scalars(select(Experiment).order_by(Experiment.slug))
    baselines = await session.scalars(select(Baseline).order_by(Baseline.slug))
    return Saved(
        experiments=[SavedExperiment.model_validate(row) for row in experiments],
        baselines=[SavedBaseline.model_validate(row) for row in baselines],
    )


async def put_back(session: AsyncSession, saved: Saved) -> None:
    """Those that are not there, as they were."""
    tables: list[tuple[type[SavedRow], list[dict[str, Any]]]] = [
        (Experiment, [one.model_dump() for one in saved.experiments]),
        (Baseline, [one.model_dump() for one in saved.baselines]),
    ]
    for table, rows in tables:
        if rows:
            await session.execute(insert(table).on_conflict_do_nothing(), rows)
