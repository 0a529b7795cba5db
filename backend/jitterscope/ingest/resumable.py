"""Uploads that arrive over several requests, so that a broken one continues where it broke."""

import asyncio
import hashlib
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass

from pydantic import BaseModel, ValidationError

from jitterscope.ingest.receive import HEAD_BYTES, CheckHead, ReceivedFile, empty, too_large
from jitterscope.ingest.uploads import UploadDescription, accept
from jitterscope.problems import (
    OffsetMismatch,
    TooManyUploads,
    UnsupportedUpload,
    UploadTooLarge,
)
from jitterscope.settings import Settings
from jitterscope.store.arriving import ArrivingFile
from jitterscope.store.blobs import BlobStore
from jitterscope.store.database import Database
from jitterscope.store.unfinished import no_such_upload

_WRITE_BYTES = 1 << 20


class Outcome(BaseModel):
    """The trace that an upload became; `is_new` where the upload makes it be loaded."""

    trace_id: str
    is_new: bool


class Announcement(BaseModel):
    """What is noted of an upload beside its file."""

    size_bytes: int
    description: UploadDescription
    outcome: Outcome | None = None


@dataclass(frozen=True)
class UploadState:
    """How far an upload is, and what it became once it was whole."""

    offset_bytes: int
    size_bytes: int
    touched_at: float
    outcome: Outcome | None


@dataclass(frozen=True)
class ResumableUploads:
    """The uploads of one store. What has arrived is on the disk, so any process may continue one."""

    settings: Settings
    database: Database
    blobs: BlobStore
    check_head: CheckHead

    async def announce(self, announcement: Announcement) -> str:
        """The id of a new upload, of which nothing has arrived.

        Raises: EmptyUpload, UploadTooLarge, DiskAlmostFull, TooManyUploads.
        """
        if announcement.size_bytes == 0:
            raise empty()
        if announcement.size_bytes > self.settings.max_upload_bytes:
            raise too_large(self.settings.max_upload_bytes)
        self.blobs.require_space(announcement.size_bytes)
        most = self.settings.max_unfinished_uploads
        if await asyncio.to_thread(self.blobs.unfinished.count) >= most:
            raise TooManyUploads(
                f"{most} uploads are unfinished (JITTERSCOPE_MAX_UNFINISHED_UPLOADS); "
                "finish or cancel others first."
            )
        note = announcement.model_dump_json().encode()
        return await asyncio.to_thread(self.blobs.unfinished.create, note)

    async def state(self, upload_id: str) -> UploadState:
        """Where the upload continues. One that is whole becomes a trace now, if that was cut short before.

        Raises: NotFound, UploadBusy while more of it arrives, and what `accept` does.
        """
        state = await asyncio.to_thread(self._state, upload_id)
        if state.outcome is None:
            with self.blobs.unfinished.locked(upload_id) as file:
                announced = await asyncio.to_thread(self._announcement, upload_id)
                if os.fstat(file.descriptor).st_size == announced.size_bytes:
                    await self._finish(upload_id, file, announced)
            state = await asyncio.to_thread(self._state, upload_id)
        return state

    async def append(self, upload_id: str, offset_bytes: int, chunks: AsyncIterator[bytes]) -> UploadState:
        """Takes what comes, and keeps it even where the connection breaks; with the last byte it is a trace.

        Raises: NotFound, UploadBusy, OffsetMismatch, UploadTooLarge, DiskAlmostFull, what `chunks` does, and
        what `accept` does. A file that is no recording is refused, and the upload is gone.
        """
        with self.blobs.unfinished.locked(upload_id) as file:
            announced = await asyncio.to_thread(self._announcement, upload_id)
            arrived = os.fstat(file.descriptor).st_size
            if offset_bytes != arrived:
                raise OffsetMismatch(
                    f"{arrived} bytes have arrived, and these are said to begin at {offset_bytes}; "
                    "ask for the offset with HEAD."
                )
            arrived = await self._write(upload_id, file, arrived, announced.size_bytes, chunks)
            if arrived == announced.size_bytes:
                await self._finish(upload_id, file, announced)
        return await asyncio.to_thread(self._state, upload_id)

    async def cancel(self, upload_id: str) -> None:
        """Raises: NotFound, UploadBusy."""
        await asyncio.to_thread(self._announcement, upload_id)
        if self.blobs.unfinished.size_bytes(upload_id) is not None:
            with self.blobs.unfinished.locked(upload_id):
                self.blobs.unfinished.remove(upload_id)
        self.blobs.unfinished.remove(upload_id)

    async def _write(
        self, upload_id: str, file: ArrivingFile, arrived: int, announced: int, chunks: AsyncIterator[bytes]
    ) -> int:
        """How much has arrived at the end."""
        waiting = bytearray()
        is_checked = arrived >= HEAD_BYTES

        async def flush() -> None:
            nonlocal waiting, is_checked, arrived
            block, waiting = waiting, bytearray()
            self.blobs.require_space(len(block))
            await asyncio.to_thread(file.write, block)
            arrived += len(block)
            if not is_checked and arrived >= min(HEAD_BYTES, announced):
                is_checked = True
                await self._require_recording(upload_id, file, announced)

        try:
            async for chunk in chunks:
                if arrived + len(waiting) + len(chunk) > announced:
                    raise UploadTooLarge(f"More arrives than the {announced} bytes that were announced.")
                waiting += chunk
                if len(waiting) >= _WRITE_BYTES:
                    await flush()
        finally:
            # What came before the connection broke need not come again.
            await flush()
            await asyncio.to_thread(os.fsync, file.descriptor)
        return arrived

    async def _require_recording(self, upload_id: str, file: ArrivingFile, size_bytes: int) -> None:
        head = await asyncio.to_thread(os.pread, file.descriptor, HEAD_BYTES, 0)
        try:
            await self.check_head(head, size_bytes)
        except UnsupportedUpload:
            self.blobs.unfinished.remove(upload_id)
            raise

    async def _finish(self, upload_id: str, file: ArrivingFile, announced: Announcement) -> None:
        if announced.outcome is not None:
            # Another request did it between the opening of the file and its lock.
            return
        sha256 = await asyncio.to_thread(_hash, file.descriptor)
        received = ReceivedFile(file.path, sha256, announced.size_bytes)
        accepted = await accept(self.database, self.blobs, received, announced.description)
        outcome = Outcome(trace_id=accepted.trace.id, is_new=accepted.is_queued)
        note = announced.model_copy(update={"outcome": outcome}).model_dump_json().encode()
        await asyncio.to_thread(self.blobs.unfinished.write_note, upload_id, note)

    def _state(self, upload_id: str) -> UploadState:
        touched_at = self.blobs.unfinished.touched_at(upload_id)
        arrived = self.blobs.unfinished.size_bytes(upload_id)
        # After the size: the note names the trace before the file is looked for in vain.
        announced = self._announcement(upload_id)
        offset_bytes = announced.size_bytes if arrived is None else arrived
        return UploadState(offset_bytes, announced.size_bytes, touched_at, announced.outcome)

    def _announcement(self, upload_id: str) -> Announcement:
        """Raises: NotFound; a note that cannot be read is that of an upload that nobody can continue."""
        note = self.blobs.unfinished.note(upload_id)
        try:
            return Announcement.model_validate_json(note)
        except ValidationError as error:
            raise no_such_upload(upload_id) from error


def _hash(descriptor: int) -> str:
    with os.fdopen(os.dup(descriptor), "rb", buffering=0) as file:
        file.seek(0)
        return hashlib.file_digest(file, "sha256").hexdigest()
