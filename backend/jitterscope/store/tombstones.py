"""Contents whose traces were deleted here."""

from collections.abc import Iterable

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.store.models import Tombstone


async def bury(session: AsyncSession, sha256: str) -> None:
    """Remember, from now on, that this content was deleted."""
    statement = insert(Tombstone).values(sha256=sha256)
    await session.execute(
        statement.on_conflict_do_update(
            index_elements=[Tombstone.sha256], set_={"deleted_at": func.clock_timestamp()}
        )
    )


async def unbury(session: AsyncSession, sha256: str) -> None:
    """Forget that this content was deleted: somebody has uploaded it again."""
    await session.execute(delete(Tombstone).where(Tombstone.sha256 == sha256))


async def is_buried(session: AsyncSession, sha256: str) -> bool:
    return await session.get(Tombstone, sha256) is not None


async def buried(session: AsyncSession, hashes: Iterable[str], min_age_seconds: float = 0) -> set[str]:
    """Those of the contents that were deleted here, at least that long ago."""
    age_seconds = func.extract("epoch", func.clock_timestamp() - Tombstone.deleted_at)
    query = select(Tombstone.sha256).where(Tombstone.sha256.in_(list(hashes)), age_seconds >= min_age_seconds)
    return set(await session.scalars(query))
