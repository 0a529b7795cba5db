"""The uploaded files, each under the hash of its bytes."""

import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from jitterscope.problems import DiskAlmostFull
from jitterscope.settings import Settings, free_bytes_kept

_HASH = re.compile(r"[0-9a-f]{64}")


class BlobStore:
    """A folder of files: `<first two hex digits>/<sha256>`, and `tmp/` for what is still arriving."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._folder = settings.store_folder
        self._tmp = self._folder / "tmp"
        self._tmp.mkdir(parents=True, exist_ok=True)

    def path(self, sha256: str) -> Path:
        if not _HASH.fullmatch(sha256):
            raise ValueError("not a SHA-256 in lower-case hexadecimal")
        return self._folder / sha256[:2] / sha256

    def incoming_path(self) -> Path:
        """A fresh name in the folder for files that are still arriving."""
        return self._tmp / secrets.token_hex(16)

    def keep(self, incoming: Path, sha256: str) -> None:
        """Give a complete, synced file its final name; on return it survives a power cut."""
        final = self.path(sha256)
        is_new_folder = not final.parent.exists()
        final.parent.mkdir(exist_ok=True)
        incoming.replace(final)
        _sync_folder(final.parent)
        if is_new_folder:
            _sync_folder(self._folder)

    def remove(self, sha256: str) -> None:
        path = self.path(sha256)
        path.unlink(missing_ok=True)
        if path.parent.exists():
            _sync_folder(path.parent)

    def open_scratch(self) -> int:
        """A descriptor of a file without a name, gone with its last descriptor."""
        path = self.incoming_path()
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        path.unlink()
        return descriptor

    def require_space(self, claimed_bytes: int) -> None:
        """Raises: DiskAlmostFull if a file of that size would eat into the space that is kept free."""
        usage = shutil.disk_usage(self._folder)
        kept_bytes = free_bytes_kept(self._settings, usage.total)
        if claimed_bytes > usage.free - kept_bytes:
            raise DiskAlmostFull(
                f"The upload needs {claimed_bytes} bytes and {usage.free} are free, of which {kept_bytes} "
                "are kept (JITTERSCOPE_MIN_FREE_BYTES); delete traces or make room on the disk."
            )

    def spare_bytes(self) -> int:
        """How much may be written before the space that is kept free is touched."""
        usage = shutil.disk_usage(self._folder)
        return max(0, usage.free - free_bytes_kept(self._settings, usage.total))

    def hashes(self) -> Iterator[str]:
        """The content hash of every file that is kept."""
        for folder in self._folder.glob("[0-9a-f][0-9a-f]"):
            yield from (file.name for file in folder.iterdir() if _HASH.fullmatch(file.name))

    def remove_abandoned(self, older_than_seconds: float) -> int:
        """How many arriving files were removed because nothing was written to them for that long."""
        limit = time.time() - older_than_seconds
        abandoned = [file for file in self._tmp.iterdir() if file.stat().st_mtime < limit]
        for file in abandoned:
            file.unlink(missing_ok=True)
        return len(abandoned)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
