"""Files that arrive over several requests, each with a note of what was announced of it."""

import contextlib
import os
import re
import secrets
import time
from collections.abc import Iterator
from pathlib import Path

from jitterscope.problems import NotFound, UploadBusy
from jitterscope.store.arriving import ArrivingFile
from jitterscope.store.file_locks import try_lock

_ID = re.compile(r"[0-9a-f]{32}")


class UnfinishedFiles:
    """A folder of files that are written bit by bit: `<id>`, and `<id>.json` for the note.

    Nobody holds one between two requests; whoever writes it holds its lock, which the kernel releases when
    the writer dies. A file may have become a recording; its note then stays until it expires.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def create(self, note: bytes) -> str:
        """The id of a fresh, empty file. Raises: OSError."""
        self._folder.mkdir(parents=True, exist_ok=True)
        upload_id = secrets.token_hex(16)
        # The note first: a file without one would never be finished.
        self._note_path(upload_id).write_bytes(note)
        self._path(upload_id).touch(mode=0o600, exist_ok=False)
        return upload_id

    @contextlib.contextmanager
    def locked(self, upload_id: str) -> Iterator[ArrivingFile]:
        """The file, which nobody else writes meanwhile.

        Raises: NotFound, UploadBusy.
        """
        path = self._path(upload_id)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError as error:
            raise no_such_upload(upload_id) from error
        try:
            if not try_lock(descriptor):
                raise UploadBusy(
                    "Another request is writing to this upload; ask for its offset a little later."
                )
            if os.fstat(descriptor).st_nlink == 0:
                raise no_such_upload(upload_id)
            yield ArrivingFile(path, descriptor)
        finally:
            os.close(descriptor)

    def size_bytes(self, upload_id: str) -> int | None:
        """How much has arrived; None where the file is gone, since it has become a recording.

        Raises: NotFound for what is no id.
        """
        try:
            return self._path(upload_id).stat().st_size
        except FileNotFoundError:
            return None

    def note(self, upload_id: str) -> bytes:
        """Raises: NotFound."""
        try:
            return self._note_path(upload_id).read_bytes()
        except FileNotFoundError as error:
            raise no_such_upload(upload_id) from error

    def write_note(self, upload_id: str, note: bytes) -> None:
        """Replace the note at once. Raises: OSError."""
        path = self._note_path(upload_id)
        fresh = path.with_suffix(".new")
        fresh.write_bytes(note)
        fresh.replace(path)

    def touched_at(self, upload_id: str) -> float:
        """When something last arrived, in seconds since 1970. Raises: NotFound."""
        for path in (self._path(upload_id), self._note_path(upload_id)):
            with contextlib.suppress(FileNotFoundError):
                return path.stat().st_mtime
        raise no_such_upload(upload_id)

    def remove(self, upload_id: str) -> None:
        """Remove file and note, whichever is there."""
        path = self._path(upload_id)
        for one in (path, path.with_suffix(".new"), path.with_suffix(".json")):
            one.unlink(missing_ok=True)

    def count(self) -> int:
        """How many files are unfinished."""
        return sum(1 for _ in self._ids(with_suffix=""))

    def remove_expired(self, min_age_seconds: float) -> int:
        """How many were removed, of finished ones the notes, because nothing had arrived for that long."""
        removed = 0
        for upload_id in {*self._ids(with_suffix=""), *self._ids(with_suffix=".json")}:
            with contextlib.suppress(NotFound):
                if time.time() - self.touched_at(upload_id) > min_age_seconds:
                    self.remove(upload_id)
                    removed += 1
        return removed

    def _ids(self, with_suffix: str) -> Iterator[str]:
        if not self._folder.exists():
            return
        for path in list(self._folder.iterdir()):
            if path.suffix == with_suffix and _ID.fullmatch(path.stem):
                yield path.stem

    def _path(self, upload_id: str) -> Path:
        """Raises: NotFound for what can be no id, so that no other file is ever named."""
        if not _ID.fullmatch(upload_id):
            raise no_such_upload(upload_id)
        return self._folder / upload_id

    def _note_path(self, upload_id: str) -> Path:
        return self._path(upload_id).with_suffix(".json")


def no_such_upload(upload_id: str) -> NotFound:
    """The refusal of an upload that nobody can continue."""
    return NotFound(
        f"There is no upload {upload_id[:64]!r}: it was cancelled, or nothing had arrived for too long "
        "(JITTERSCOPE_UNFINISHED_UPLOAD_SECONDS); start it again."
    )
