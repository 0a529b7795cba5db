"""One recording from one store to another, checked on the way."""

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jitterscope.backup.errors import BackupError
from jitterscope.store.blobs import BlobStore

_READ_BYTES = 1 << 20


class DamagedRecording(Exception):
    """The stored bytes are not those that the file is named after."""


def copy_recording(source: BlobStore, target: BlobStore, sha256: str) -> int:
    """The number of bytes that were copied; on return they survive a power cut.

    Raises: FileNotFoundError, DamagedRecording, DiskAlmostFull, OSError.
    """
    size_bytes = 0
    digest = hashlib.sha256()
    with source.path(sha256).open("rb", buffering=0) as file, target.arriving.open() as incoming:
        target.require_space(os.fstat(file.fileno()).st_size)
        while block := file.read(_READ_BYTES):
            digest.update(block)
            incoming.write(block)
            size_bytes += len(block)
        if digest.hexdigest() != sha256:
            raise DamagedRecording(sha256)
        os.fsync(incoming.descriptor)
        target.keep(incoming.path, sha256)
    return size_bytes


def size_of(blobs: BlobStore, sha256: str) -> int | None:
    """The size of a stored recording, None where there is none."""
    try:
        return blobs.path(sha256).stat().st_size if blobs.has(sha256) else None
    except FileNotFoundError:
        return None


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keeps others from working in the same backup at the same time.

    Raises: BackupError if another does already.
    """
    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BackupError(f"another command works in {folder}; wait for its end") from error
        yield
    finally:
        os.close(descriptor)
