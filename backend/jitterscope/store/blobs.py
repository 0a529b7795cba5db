"""The uploaded files, each under the hash of its bytes, with a small file beside it that describes it."""

import contextlib
import errno
import hashlib
import os
import re
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from jitterscope.problems import DiskAlmostFull
from jitterscope.settings import Settings, free_bytes_kept
from jitterscope.store.arriving import ArrivingFiles
from jitterscope.store.unfinished import UnfinishedFiles

_HASH = re.compile(r"[0-9a-f]{64}")
_SHARD = re.compile(r"[0-9a-f]{2}")
_READ_BYTES = 1 << 20
# 256 labels of the greatest length take a quarter of it.
MAX_SIDECAR_BYTES = 1 << 20


class BlobStore:
    """A folder of files: `<first two hex digits>/<sha256>`, the same with `.json` appended, and what is no
    recording yet in `tmp/` and `unfinished/`.

    The description is on the disk before its file is, and what is in either survives a power cut.
    """

    def __init__(self, settings: Settings, folder: Path | None = None) -> None:
        self._settings = settings
        self.folder = settings.store_folder if folder is None else folder
        self.arriving = ArrivingFiles(self.folder / "tmp")
        self.unfinished = UnfinishedFiles(self.folder / "unfinished")

    def path(self, sha256: str) -> Path:
        if not _HASH.fullmatch(sha256):
            raise ValueError("not a SHA-256 in lower-case hexadecimal")
        return self.folder / sha256[:2] / sha256

    def sidecar_path(self, sha256: str) -> Path:
        path = self.path(sha256)
        return path.with_name(f"{path.name}.json")

    def has(self, sha256: str) -> bool:
        """Whether the file is here. Its bytes are not looked at."""
        return _is_file(self.path(sha256))

    def keep(self, incoming: Path, sha256: str) -> None:
        """Give a complete, synced file its final name; on return it survives a power cut."""
        self._rename(incoming, self.path(sha256))

    def write_sidecar(self, sha256: str, content: bytes) -> None:
        """Replace the description of a file; on return it survives a power cut.

        Raises: DiskAlmostFull.
        """
        with _disk_full_refused(), self.arriving.open() as incoming:
            incoming.write(content)
            os.fsync(incoming.descriptor)
            self._rename(incoming.path, self.sidecar_path(sha256))

    def read_sidecar(self, sha256: str) -> bytes | None:
        """The description of a file, or None where there is none that could be one."""
        try:
            # Whatever has the name: no link is followed, and no pipe is waited for.
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            descriptor = os.open(self.sidecar_path(sha256), flags)
        except OSError:
            return None
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_SIDECAR_BYTES:
                return None
            content = file.read(MAX_SIDECAR_BYTES + 1)
        return content if len(content) <= MAX_SIDECAR_BYTES else None

    def remove(self, sha256: str) -> None:
        """Remove a file and then its description, so that what is left by a crash says what it was."""
        folder = self.path(sha256).parent
        self.path(sha256).unlink(missing_ok=True)
        self.sidecar_path(sha256).unlink(missing_ok=True)
        if folder.exists():
            _sync_folder(folder)

    def age_seconds(self, sha256: str) -> float:
        """How long the file has been here, by its last change of content or name; 0 where it is not."""
        try:
            status = self.path(sha256).lstat()
        except FileNotFoundError:
            return 0.0
        return time.time() - max(status.st_mtime, status.st_ctime)

    def open(self, sha256: str) -> int:
        """A descriptor of the file, to be read and closed. Raises: OSError."""
        return os.open(self.path(sha256), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)

    def hash_of(self, sha256: str) -> tuple[str, int]:
        """The hash and the number of the bytes that are stored under a hash.

        Raises: OSError.
        """
        with os.fdopen(self.open(sha256), "rb", buffering=0) as file:
            digest, size_bytes = hashlib.sha256(), 0
            while block := file.read(_READ_BYTES):
                digest.update(block)
                size_bytes += len(block)
        return digest.hexdigest(), size_bytes

    def open_scratch(self) -> int:
        """A descriptor of a file without a name, gone with its last descriptor."""
        with self.arriving.open() as incoming:
            return os.dup(incoming.descriptor)

    def require_space(self, claimed_bytes: int) -> None:
        """Raises: DiskAlmostFull if a file of that size would eat into the space that is kept free."""
        free_bytes, kept_bytes = self.free_bytes()
        if claimed_bytes > free_bytes - kept_bytes:
            raise DiskAlmostFull(
                f"The upload needs {claimed_bytes} bytes and {free_bytes} are free, of which {kept_bytes} "
                "are kept (JITTERSCOPE_MIN_FREE_BYTES); delete traces or make room on the disk."
            )

    def require_space_to_load(self) -> None:
        """Raises: DiskAlmostFull if a load has come to the space that is kept free."""
        free_bytes, kept_bytes = self.free_bytes()
        if free_bytes < kept_bytes:
            raise DiskAlmostFull(
                f"The disk is almost full: {free_bytes} bytes are free, and {kept_bytes} are kept "
                "(JITTERSCOPE_MIN_FREE_BYTES)."
            )

    def free_bytes(self) -> tuple[int, int]:
        """How much is free, and how much of it is kept free."""
        usage = shutil.disk_usage(self.folder)
        return usage.free, free_bytes_kept(self._settings, usage.total)

    def spare_bytes(self) -> int:
        """How much may be written before the space that is kept free is touched."""
        free_bytes, kept_bytes = self.free_bytes()
        return max(0, free_bytes - kept_bytes)

    def hashes(self) -> Iterator[str]:
        """The hash in the name of every file that is kept."""
        for shard in self._shards():
            yield from (name for name in _names(shard) if _HASH.fullmatch(name) and _is_file(shard / name))

    def described_hashes(self) -> Iterator[str]:
        """The hash in the name of every description."""
        for shard in self._shards():
            names = (name.removesuffix(".json") for name in _names(shard) if name.endswith(".json"))
            yield from (name for name in names if _HASH.fullmatch(name))

    def _shards(self) -> Iterator[Path]:
        return (self.folder / name for name in sorted(_names(self.folder)) if _SHARD.fullmatch(name))

    def _rename(self, incoming: Path, final: Path) -> None:
        is_new_folder = not final.parent.exists()
        final.parent.mkdir(exist_ok=True)
        incoming.replace(final)
        _sync_folder(final.parent)
        if is_new_folder:
            _sync_folder(self.folder)


@contextlib.contextmanager
def _disk_full_refused() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise DiskAlmostFull("The disk is full; delete traces or make room on it.") from error


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 (names are all that is needed, of many files)
    except (FileNotFoundError, NotADirectoryError):
        return []


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except FileNotFoundError:
        return False


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
