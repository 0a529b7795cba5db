"""Stored files that the database does not know become traces, as if they had been uploaded again."""

import asyncio

import structlog

from jitterscope.ingest.sidecar import Sidecar, describe, parse_sidecar
from jitterscope.store import jobs, tombstones, traces
from jitterscope.store.blobs import BlobStore
from jitterscope.store.database import Database

_log = structlog.get_logger()

_ADOPT_SECONDS = 30


class Adoption:
    """Takes in files. A damaged one is read once only, as long as this lives and the file stays as it is."""

    def __init__(self, database: Database, blobs: BlobStore) -> None:
        self._database = database
        self._blobs = blobs
        self._damaged: set[tuple[str, int, int]] = set()

    async def adopt(self, sha256: str) -> bool:
        """Whether a trace was made of the file: not if it is known, was deleted here, or is damaged."""
        try:
            size_bytes = await asyncio.to_thread(self._checked_size, sha256)
            if size_bytes is None:
                return False
            description = await asyncio.to_thread(self._sidecar, sha256, size_bytes)
            sidecar = self._made_up(sha256, size_bytes) if description is None else description
        except OSError as error:
            _log.warning("stored_file_unreadable", sha256=sha256, reason=error.strerror)
            return False
        async with self._database.lasting(_ADOPT_SECONDS) as session:
            if not await traces.unreferenced(session, sha256) or not self._blobs.has(sha256):
                return False
            if await tombstones.is_buried(session, sha256):
                return False
            new = traces.NewTrace(sha256, size_bytes, sidecar.filename, sidecar.name, sidecar.created_at)
            trace = await traces.create(session, new)
            await traces.set_labels(session, [trace.key], dict(sidecar.labels))
            await jobs.defer_load(session, trace.key)
            if description is None:
                await describe(session, self._blobs, trace)
            _log.info("file_adopted", sha256=sha256, trace=trace.id)
        return True

    def _checked_size(self, sha256: str) -> int | None:
        """The size of a file whose bytes are those of its name; None if they are others.

        An id is made from the hash, so a file under a wrong one would be shown as another recording.
        """
        status = self._blobs.path(sha256).stat()
        version = (sha256, status.st_size, status.st_mtime_ns)
        if version in self._damaged:
            return None
        found, size_bytes = self._blobs.hash_of(sha256)
        if found == sha256:
            return size_bytes
        self._damaged.add(version)
        _log.error("stored_file_damaged", sha256=sha256, found=found, size_bytes=size_bytes)
        return None

    def _sidecar(self, sha256: str, size_bytes: int) -> Sidecar | None:
        content = self._blobs.read_sidecar(sha256)
        sidecar = None if content is None else parse_sidecar(content, sha256, size_bytes)
        if sidecar is None:
            _log.warning("description_missing", sha256=sha256, was_there=content is not None)
        return sidecar

    def _made_up(self, sha256: str, size_bytes: int) -> Sidecar:
        return Sidecar.of_unknown(sha256, size_bytes, self._blobs.path(sha256).stat().st_mtime)
