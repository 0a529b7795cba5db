"""Rows of saved comparisons."""

import itertools
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.problems import Conflict, NotFound
from jitterscope.store.models import Experiment, JsonObject

MAX_EXPERIMENTS = 10_000
_MAX_SLUG = 60


@dataclass(frozen=True)
class NewExperiment:
    """What is known of a comparison before it is saved. `slug` is absent where the name makes it."""

    name: str
    note: str
    comparison: JsonObject
    view: JsonObject
    slug: str | None = None


async def create_experiment(session: AsyncSession, new: NewExperiment) -> Experiment:
    """The saved comparison.

    Raises: Conflict if its slug is taken, or if there are too many.
    """
    # One at a time: whoever saves under a taken name gets the next free slug.
    await session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended("experiment", 0))))
    count = await session.scalar(select(func.count()).select_from(Experiment)) or 0
    if count >= MAX_EXPERIMENTS:
        raise Conflict(
            f"{count:,} experiments are saved, and {MAX_EXPERIMENTS:,} is the most; delete some first.",
            code="too_many_experiments",
        )
    row = Experiment(
        slug=await _free_slug(session, new),
        name=new.name,
        note=new.note,
        comparison=new.comparison,
        view=new.view,
    )
    session.add(row)
    await session.flush()
    await session.refresh(row)
    return row


async def find_experiment(session: AsyncSession, slug: str) -> Experiment:
    """Raises: NotFound."""
    row = await session.get(Experiment, slug) if _is_slug(slug) else None
    if row is None:
        raise NotFound(f"There is no experiment {slug[:80]!r}.")
    return row


async def change_experiment(session: AsyncSession, slug: str, changes: JsonObject) -> Experiment:
    """The saved comparison with these columns changed.

    Raises: NotFound.
    """
    row = await find_experiment(session, slug)
    for column, value in changes.items():
        setattr(row, column, value)
    row.changed_at = func.now()
    await session.flush()
    await session.refresh(row)
    return row


async def delete_experiment(session: AsyncSession, slug: str) -> None:
    """Raises: NotFound."""
    await session.delete(await find_experiment(session, slug))


Position = tuple[datetime, str]


async def experiments_page(
    session: AsyncSession, search: str, limit: int, after: Position | None
) -> tuple[Sequence[Experiment], Position | None]:
    """Those that have every word of the search, the last changed first, and where the next page goes on."""
    query = select(Experiment).order_by(Experiment.changed_at.desc(), Experiment.slug.desc())
    text = func.lower(Experiment.name + "\n" + Experiment.note + "\n" + Experiment.slug)
    for word in search.lower().split():
        query = query.where(func.strpos(text, word) > 0)
    if after is not None:
        query = query.where(tuple_(Experiment.changed_at, Experiment.slug) < tuple_(*after))
    rows = (await session.scalars(query.limit(limit + 1))).all()
    page = rows[:limit]
    return page, (page[-1].changed_at, page[-1].slug) if len(rows) > limit else None


def slug_of(name: str) -> str:
    """Words of a name as an address can hold them: `Isolated CPU 1 (rpi5)` → `isolated-cpu-1-rpi5`."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall("[a-z0-9]+", plain))[:_MAX_SLUG].strip("-") or "experiment"


async def _free_slug(session: AsyncSession, new: NewExperiment) -> str:
    wanted = new.slug or slug_of(new.name)
    same = Experiment.slug == wanted
    numbered = Experiment.slug.regexp_match(f"^{wanted}-[0-9]+$")
    taken = set(await session.scalars(select(Experiment.slug).where(same | numbered)))
    if new.slug is not None and new.slug in taken:
        raise Conflict(
            f"There is an experiment {new.slug!r} already; choose another slug.", code="slug_taken"
        )
    candidates = itertools.chain([wanted], (f"{wanted}-{number}" for number in itertools.count(2)))
    return next(slug for slug in candidates if slug not in taken)


def _is_slug(text: str) -> bool:
    return re.fullmatch("[a-z0-9-]{1,100}", text) is not None
