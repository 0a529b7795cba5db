"""A received file becomes a trace and a job, in one transaction."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.ingest.names import display_filename, display_text, name_from_filename
from jitterscope.ingest.receive import ReceivedFile
from jitterscope.ingest.reload import may_help, queue_again
from jitterscope.ingest.sidecar import describe
from jitterscope.problems import IdempotencyKeyReused
from jitterscope.store import jobs, tombstones, traces
from jitterscope.store.blobs import BlobStore
from jitterscope.store.database import Database
from jitterscope.store.loads import notify
from jitterscope.store.models import IdempotencyKey, Trace

# Renaming a file is quick, but waiting for an upload of the same bytes may not be.
_ACCEPT_SECONDS = 30
# Deleting a big trace is a few thousand rows, but it may have to wait for a load that commits.
_DELETE_SECONDS = 30


@dataclass(frozen=True)
class UploadDescription:
    """What the client says about its file; all of it may be missing."""

    filename: str = "trace"
    name: str = ""
    labels: Mapping[str, str | None] = field(default_factory=dict)
    idempotency_key: str | None = None


@dataclass(frozen=True)
class Accepted:
    """`is_queued` where the upload makes it be loaded: it is new, or it had failed and may now go well."""

    trace: Trace
    is_queued: bool


async def accept(
    database: Database, blobs: BlobStore, received: ReceivedFile, description: UploadDescription
) -> Accepted:
    """The trace of these bytes: a new one, queued, or the one that is already there.

    The file is stored either way, since the one that is already there may be lost or damaged.

    Raises: IdempotencyKeyReused, DiskAlmostFull.
    """
    async with database.lasting(_ACCEPT_SECONDS) as session:
        await traces.lock_content(session, received.sha256)
        await _remember_key(session, description.idempotency_key, received.sha256)
        await tombstones.unbury(session, received.sha256)
        trace = await traces.find_by_content(session, received.sha256)
        is_queued = trace is None or may_help(trace)
        if trace is None:
            trace = await traces.create(session, _new_trace(received, description))
            await jobs.defer_load(session, trace.key)
        elif is_queued:
            trace = await queue_again(session, trace)
        await traces.merge_labels(session, [trace.key], description.labels)
        await describe(session, blobs, trace)
        await asyncio.to_thread(blobs.keep, received.path, received.sha256)
        return Accepted(trace, is_queued)


def _new_trace(received: ReceivedFile, description: UploadDescription) -> traces.NewTrace:
    filename = display_filename(description.filename)
    name = display_text(description.name) or name_from_filename(filename)
    return traces.NewTrace(received.sha256, received.size_bytes, filename, name)


async def delete_trace(database: Database, blobs: BlobStore, trace_id: str) -> None:
    """Delete a trace with all that came from it, and its file.

    The tombstone is there for a crash between the two: the file is then not taken in again, and goes later.

    Raises: NotFound.
    """
    async with database.lasting(_DELETE_SECONDS) as session:
        trace = await traces.find_and_lock(session, trace_id)
        await traces.remove(session, trace)
        await tombstones.bury(session, trace.sha256)
        await notify(session, trace.key)
    await collect(database, blobs, trace.sha256)


async def collect(database: Database, blobs: BlobStore, sha256: str) -> bool:
    """Whether a stored file was removed because its trace was deleted here, and no other has come since."""
    async with database.lasting(_ACCEPT_SECONDS) as session:
        if not await traces.unreferenced(session, sha256) or not await tombstones.is_buried(session, sha256):
            return False
        await asyncio.to_thread(blobs.remove, sha256)
        return True


async def forget_old_keys(database: Database) -> None:
    """Idempotency keys are good for a day."""
    async with database.session() as session:
        age = func.now() - IdempotencyKey.created_at
        await session.execute(delete(IdempotencyKey).where(age > func.make_interval(0, 0, 0, 1)))


async def _remember_key(session: AsyncSession, key: str | None, sha256: str) -> None:
    if key is None:
        return
    await session.execute(insert(IdempotencyKey).values(key=key, sha256=sha256).on_conflict_do_nothing())
    first = await session.scalar(select(IdempotencyKey.sha256).where(IdempotencyKey.key == key))
    if first != sha256:
        raise IdempotencyKeyReused(
            "This Idempotency-Key was sent with other bytes; use a new key for each file.",
            errors=[{"parameter": "Idempotency-Key", "in": "header", "message": "belongs to another upload"}],
        )
