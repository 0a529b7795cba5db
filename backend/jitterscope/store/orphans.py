"""Stored files that no trace speaks of, as a crash between two steps can leave them."""

import asyncio

from sqlalchemy import select

from jitterscope.store.blobs import BlobStore
from jitterscope.store.database import Database
from jitterscope.store.models import Trace


async def orphaned_hashes(database: Database, blobs: BlobStore) -> set[str]:
    """Hashes that were on the disk before the traces were looked up. Each is looked up again on removal."""
    stored = await asyncio.to_thread(lambda: set(blobs.hashes()))
    async with database.session() as session:
        return stored - set(await session.scalars(select(Trace.sha256)))
