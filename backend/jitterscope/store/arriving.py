"""Files that are still being written, and what is left of those whose writer was killed."""

import contextlib
import os
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jitterscope.store.file_locks import try_lock

# A lock may not be seen from another machine, so its files must have been left alone for this long, too.
_FOREIGN_AGE_SECONDS = 600.0


@dataclass(frozen=True)
class ArrivingFile:
    """An open file under a name that is its own."""

    path: Path
    descriptor: int

    def write(self, block: bytes | bytearray) -> None:
        """Write all of it at the end of the file."""
        view = memoryview(block)
        while view:
            view = view[os.write(self.descriptor, view) :]


class ArrivingFiles:
    """The folder in which files are written until they are whole.

    The writer holds the file's lock, which the kernel releases when the writer dies.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._machine = _boot_id()
        folder.mkdir(parents=True, exist_ok=True)

    @contextlib.contextmanager
    def open(self) -> Iterator[ArrivingFile]:
        """A fresh file; its name is gone at the end of the block, unless it was given another."""
        file = self.create()
        try:
            yield file
        finally:
            self.discard(file)

    def create(self) -> ArrivingFile:
        """A fresh file, locked; to be given to `discard`, whether it was renamed or not."""
        while True:
            path = self._folder / f"{self._machine}-{secrets.token_hex(16)}"
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            # Between its creation and its locking somebody may have taken it for abandoned.
            if try_lock(descriptor) and os.fstat(descriptor).st_nlink > 0:
                return ArrivingFile(path, descriptor)
            os.close(descriptor)

    def discard(self, file: ArrivingFile) -> None:
        file.path.unlink(missing_ok=True)
        os.close(file.descriptor)

    def remove_abandoned(self) -> int:
        """How many files were removed because their writers are gone."""
        return sum(self._remove_if_abandoned(path) for path in list(self._folder.iterdir()))

    def _remove_if_abandoned(self, path: Path) -> bool:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            # Whole and renamed since, or nothing that was ever written here.
            return False
        try:
            is_ours = path.name.startswith(f"{self._machine}-")
            age_seconds = time.time() - os.fstat(descriptor).st_mtime
            if not try_lock(descriptor) or not (is_ours or age_seconds > _FOREIGN_AGE_SECONDS):
                return False
            path.unlink(missing_ok=True)
            return True
        finally:
            os.close(descriptor)


def _boot_id() -> str:
    """What distinguishes this machine, since it was started, from others that share the folder."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").replace("-", "")[:8]
    except OSError:
        return "unknown"
