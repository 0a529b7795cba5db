"""A file on its way from the network to the disk: hashed, counted and bounded while it passes."""

import asyncio
import hashlib
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from jitterscope.problems import EmptyUpload, UploadTooLarge
from jitterscope.store.blobs import BlobStore

# Bytes gathered before they are handed to a thread that hashes and writes them.
_WRITE_BYTES = 1 << 20
# How much of a file is read to recognise its format.
HEAD_BYTES = 1 << 20

# Takes the first bytes of a file, all of a shorter one, and how many have arrived by now.
CheckHead = Callable[[bytes, int], Awaitable[None]]


@dataclass(frozen=True)
class ReceivedFile:
    """A complete file that is safe on the disk but has no name yet."""

    path: Path
    sha256: str
    size_bytes: int


class Receiver:
    """An open file in the store's `tmp`; it is gone at the end of the block unless it was kept."""

    def __init__(self, blobs: BlobStore, max_bytes: int, check_head: CheckHead) -> None:
        self._blobs = blobs
        self._check_head = check_head
        self._is_checked = False
        self._max_bytes = max_bytes
        self._hash = hashlib.sha256()
        self._size_bytes = 0
        self._waiting = bytearray()

    async def __aenter__(self) -> Self:
        self._file = await asyncio.to_thread(self._blobs.arriving.create)
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self._blobs.arriving.discard, self._file)

    async def write(self, chunk: bytes) -> None:
        """Take the next bytes. The first ones are judged as soon as they are there: what is no recording is
        refused before the rest of it arrives.

        Raises: UploadTooLarge, DiskAlmostFull, and what `check_head` does.
        """
        self._size_bytes += len(chunk)
        if self._size_bytes > self._max_bytes:
            raise too_large(self._max_bytes)
        self._waiting += chunk
        if len(self._waiting) >= _WRITE_BYTES:
            await self._flush()

    async def finish(self) -> ReceivedFile:
        """The whole file, synced to the disk.

        Raises: EmptyUpload, DiskAlmostFull, and what `check_head` does.
        """
        if self._size_bytes == 0:
            raise empty()
        await self._flush()
        await asyncio.to_thread(os.fsync, self._file.descriptor)
        return ReceivedFile(self._file.path, self._hash.hexdigest(), self._size_bytes)

    async def _flush(self) -> None:
        block, self._waiting = self._waiting, bytearray()
        await asyncio.to_thread(self._write_block, block)
        if not self._is_checked:
            self._is_checked = True
            head = await asyncio.to_thread(os.pread, self._file.descriptor, HEAD_BYTES, 0)
            await self._check_head(head, self._size_bytes)

    def _write_block(self, block: bytearray) -> None:
        self._blobs.require_space(len(block))
        self._hash.update(block)
        self._file.write(block)


def too_large(max_bytes: int) -> UploadTooLarge:
    """The refusal of an upload past the limit; `byte_offset` is where reading stopped."""
    return UploadTooLarge(
        f"The upload is larger than {max_bytes} bytes (JITTERSCOPE_MAX_UPLOAD_BYTES); "
        "compress it, or record less.",
        byte_offset=max_bytes,
    )


def empty() -> EmptyUpload:
    """The refusal of a file without a byte."""
    return EmptyUpload("The file is empty; check that the recording had ended before it was copied.")
