"""Rows that people save under a name, each with a slug of its own."""

import itertools
import re
import unicodedata
from typing import Generic, TypeVar

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.problems import Conflict, NotFound
from jitterscope.store.models import JsonObject, SavedRow

_MAX_SLUG = 60

R = TypeVar("R", bound=SavedRow)


class SavedRows(Generic[R]):
    """One sort of them: `noun` is what people call one, with its article; at most `most` are kept."""

    def __init__(self, row: type[R], article: str, noun: str, most: int) -> None:
        self._row = row
        self._article = article
        self._noun = noun
        self.most = most

    async def create(self, session: AsyncSession, columns: JsonObject, slug: str | None) -> R:
        """The saved row; its name makes the slug where none is given.

        Raises: Conflict if its slug is taken, or if there are too many.
        """
        # One at a time: a save under a taken name gets the next free slug.
        await session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(self._noun, 0))))
        count = await session.scalar(select(func.count()).select_from(self._row)) or 0
        if count >= self.most:
            raise Conflict(
                f"{count:,} {self._noun}s are saved, and {self.most:,} is the most; delete some first.",
                code=f"too_many_{self._noun}s",
            )
        row = self._row(slug=await self._free_slug(session, columns["name"], slug), **columns)
        session.add(row)
        await session.flush()
        await session.refresh(row)
        return row

    async def find(self, session: AsyncSession, slug: str) -> R:
        """Raises: NotFound."""
        is_slug = re.fullmatch("[a-z0-9-]{1,100}", slug) is not None
        row = await session.get(self._row, slug) if is_slug else None
        if row is None:
            raise NotFound(f"There is no {self._noun} {slug[:80]!r}.")
        return row

    async def change(self, session: AsyncSession, slug: str, changes: JsonObject) -> R:
        """The row with these columns changed.

        Raises: NotFound.
        """
        row = await self.find(session, slug)
        for column, value in changes.items():
            setattr(row, column, value)
        row.changed_at = func.now()
        await session.flush()
        await session.refresh(row)
        return row

    async def delete(self, session: AsyncSession, slug: str) -> None:
        """Raises: NotFound."""
        await session.delete(await self.find(session, slug))

    async def _free_slug(self, session: AsyncSession, name: str, slug: str | None) -> str:
        wanted = slug or _slug_of(name)
        column = self._row.slug
        same_or_numbered = (column == wanted) | column.regexp_match(f"^{wanted}-[0-9]+$")
        taken = set(await session.scalars(select(column).where(same_or_numbered)))
        if slug is not None and slug in taken:
            raise Conflict(
                f"There is {self._article} {self._noun} {slug!r} already; choose another slug.",
                code="slug_taken",
            )
        numbered = itertools.chain([wanted], (f"{wanted}-{number}" for number in itertools.count(2)))
        return next(free for free in numbered if free not in taken)


def _slug_of(name: str) -> str:
    """Words of a name as an address can hold them: `Isolated CPU 1 (rpi5)` → `isolated-cpu-1-rpi5`."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall("[a-z0-9]+", plain))[:_MAX_SLUG].strip("-") or "experiment"
