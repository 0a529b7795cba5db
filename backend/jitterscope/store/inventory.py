"""What is in the store beside what the database knows of."""

import asyncio
from collections.abc import Iterable, Iterator
from itertools import islice

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.problems import FileMissing
from jitterscope.store import tombstones
from jitterscope.store.blobs import BlobStore
from jitterscope.store.database import Database
from jitterscope.store.models import Trace, TraceStatus

_BATCH = 1000


async def stored_hashes(blobs: BlobStore) -> set[str]:
    return await asyncio.to_thread(lambda: set(blobs.hashes()))


async def unknown_hashes(database: Database, stored: set[str]) -> list[str]:
    """Stored contents that no trace has and that were not deleted here; each is to be looked at again."""
    unknown = set(stored)
    for batch in batches(stored):
        async with database.session() as session:
            unknown -= set(await session.scalars(select(Trace.sha256).where(Trace.sha256.in_(batch))))
            unknown -= await tombstones.buried(session, batch)
    return sorted(unknown)


async def deleted_hashes(database: Database, stored: set[str], min_age_seconds: float) -> list[str]:
    """Stored contents that were deleted here, at least that long ago."""
    deleted: set[str] = set()
    for batch in batches(stored):
        async with database.session() as session:
            deleted |= await tombstones.buried(session, batch, min_age_seconds)
    return sorted(deleted)


async def known_traces(session: AsyncSession, hashes: Iterable[str]) -> list[Trace]:
    return list(await session.scalars(select(Trace).where(Trace.sha256.in_(list(hashes)))))


async def all_traces(session: AsyncSession) -> list[Trace]:
    """Every trace, the oldest first."""
    return list(await session.scalars(select(Trace).order_by(Trace.created_at, Trace.id)))


async def traces_without_file(session: AsyncSession) -> list[Trace]:
    """The traces that failed because their file was not found, or could not be read."""
    is_unusable = Trace.error["code"].astext.in_((FileMissing.code, "read_failed"))
    query = select(Trace).where(Trace.status == TraceStatus.FAILED, is_unusable)
    return list(await session.scalars(query))


def batches(hashes: Iterable[str]) -> Iterator[list[str]]:
    """The hashes in order, in batches that one statement can take."""
    left = iter(sorted(hashes))
    while batch := list(islice(left, _BATCH)):
        yield batch
