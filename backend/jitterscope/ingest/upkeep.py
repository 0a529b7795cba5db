"""Making the database and the stored files agree again, after crashes and after people's hands.

Files are the truth: one that the database does not know is taken in. What the database knows is described
beside its file. Only what this database deleted itself is removed, after a day, and never much of it at once.
"""

import asyncio
from dataclasses import dataclass

import structlog
from sqlalchemy.exc import DBAPIError

from jitterscope.ingest.adopt import Adoption
from jitterscope.ingest.reload import queue_again
from jitterscope.ingest.sidecar import describe, parse_sidecar
from jitterscope.ingest.uploads import collect
from jitterscope.problems import NotFound
from jitterscope.settings import Settings
from jitterscope.store import inventory, traces
from jitterscope.store.blobs import BlobStore
from jitterscope.store.database import Database
from jitterscope.store.models import Trace, TraceStatus

_log = structlog.get_logger()

_DAY_SECONDS = 24 * 3600
# Of a small store, a few files are already a large share.
_FEW_FILES = 10
_MEND_SECONDS = 30


@dataclass(frozen=True)
class Upkeep:
    """The upkeep of one folder of files. Any number of processes may do it at once."""

    settings: Settings
    database: Database
    blobs: BlobStore
    adoption: Adoption

    async def run(self) -> None:
        """Each step in turn, over all files. Safe to be cut short, and to be repeated."""
        abandoned = await asyncio.to_thread(self.blobs.arriving.remove_abandoned)
        if abandoned:
            _log.info("partial_uploads_removed", count=abandoned)
        expired = await asyncio.to_thread(
            self.blobs.unfinished.remove_expired, self.settings.unfinished_upload_seconds
        )
        if expired:
            _log.info("unfinished_uploads_removed", count=expired)
        stored = await inventory.stored_hashes(self.blobs)
        for sha256 in await inventory.unknown_hashes(self.database, stored):
            try:
                await self.adoption.adopt(sha256)
            except (DBAPIError, OSError) as error:
                # One file that cannot be taken in must not keep the others out.
                _log.warning("file_not_adopted", sha256=sha256, reason=str(error))
        await self._mend_descriptions(stored)
        await self._retry_unusable(stored)
        await self.remove_deleted(stored, _DAY_SECONDS)

    async def _mend_descriptions(self, stored: set[str]) -> None:
        for batch in inventory.batches(stored):
            async with self.database.session() as session:
                known = await inventory.known_traces(session, batch)
                labels = await traces.labels_of(session, [trace.key for trace in known])
            for trace in known:
                if not await asyncio.to_thread(self._is_described, trace, labels.get(trace.key, {})):
                    await self._mend_description(trace.id)

    def _is_described(self, trace: Trace, labels: dict[str, str]) -> bool:
        content = self.blobs.read_sidecar(trace.sha256)
        found = None if content is None else parse_sidecar(content, trace.sha256, trace.size_bytes)
        return found is not None and found.describes(trace, labels)

    async def _mend_description(self, trace_id: str) -> None:
        try:
            async with self.database.lasting(_MEND_SECONDS) as session:
                await describe(session, self.blobs, await traces.find_and_lock(session, trace_id))
        except NotFound:
            return
        except OSError as error:
            _log.warning("description_not_written", trace=trace_id, reason=str(error))
        else:
            _log.info("description_written", trace=trace_id)

    async def _retry_unusable(self, stored: set[str]) -> None:
        """Load what was given up for want of a file that is here and can be read."""
        async with self.database.session() as session:
            given_up = await inventory.traces_without_file(session)
        for failed in given_up:
            if failed.sha256 not in stored or not await asyncio.to_thread(self._is_whole, failed.sha256):
                continue
            try:
                async with self.database.lasting(_MEND_SECONDS) as session:
                    trace = await traces.find_and_lock(session, failed.id)
                    if trace.status == TraceStatus.FAILED:
                        await queue_again(session, trace)
                        _log.info("missing_file_found", trace=trace.id)
            except NotFound:
                continue

    def _is_whole(self, sha256: str) -> bool:
        try:
            return self.blobs.hash_of(sha256)[0] == sha256
        except OSError:
            return False

    async def remove_deleted(self, stored: set[str], min_age_seconds: float) -> None:
        """Remove the files of traces that were deleted here at least that long ago, if they are few."""
        deleted = await inventory.deleted_hashes(self.database, stored, min_age_seconds)
        allowed = max(_FEW_FILES, int(len(stored) * self.settings.tidy_max_share_pct / 100))
        if len(deleted) > allowed:
            _log.error(
                "tidy_stopped",
                detail=f"{len(deleted)} of {len(stored)} stored files belong to deleted traces and {allowed} "
                "may be removed at once; if people deleted them, raise JITTERSCOPE_TIDY_MAX_SHARE_PCT",
                examples=deleted[:5],
            )
            return
        for sha256 in deleted:
            if await self._is_old(sha256, min_age_seconds) and await collect(
                self.database, self.blobs, sha256
            ):
                _log.info("deleted_file_removed", sha256=sha256)

    async def _is_old(self, sha256: str, min_age_seconds: float) -> bool:
        """Whether the file has been here for that long: one that was just put back is somebody's wish."""
        return await asyncio.to_thread(self.blobs.age_seconds, sha256) >= min_age_seconds
