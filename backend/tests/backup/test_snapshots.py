"""Backups of several moments in one folder, and what is removed with those that go."""

import hashlib
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jitterscope.backup import BackupError
from jitterscope.backup.manifest import Manifest, find_newest
from jitterscope.backup.snapshots import prune, read_snapshot, read_snapshots, write_newest
from jitterscope.backup.verify import verify_backup
from jitterscope.ingest.sidecar import Sidecar
from jitterscope.settings import Settings
from jitterscope.store.blobs import BlobStore

BEGAN = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Backups:
    """A folder in which each backup is made of some of the recordings a, b, c …"""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings = Settings(data=folder / "unused")
        self.blobs = BlobStore(self.settings, folder / "store")

    def add(self, day: int, recordings: str) -> None:
        traces = []
        for letter in recordings:
            sha256 = hashlib.sha256(letter.encode()).hexdigest()
            if not self.blobs.has(sha256):
                with self.blobs.arriving.open() as incoming:
                    incoming.write(letter.encode())
                    self.blobs.keep(incoming.path, sha256)
            traces.append(Sidecar.of_unknown(sha256, 1, 0.0))
        manifest = Manifest(
            backup_id="one",
            made_at=BEGAN + timedelta(days=day),
            program="1",
            settings={},
            traces=traces,
            without_file=[],
        )
        write_newest(self.folder, manifest, find_newest(self.folder), self.blobs.arriving)

    def prune(self, keep: int) -> None:
        prune(self.folder, self.blobs, keep, lambda _: None)

    def counts(self) -> list[int]:
        """Traces in each backup, the newest first."""
        return [len(found.manifest.traces) for found in read_snapshots(self.folder)]

    def recordings(self) -> str:
        return "".join(sorted(self.blobs.path(sha256).read_text() for sha256 in self.blobs.hashes()))

    def problems(self) -> list[str]:
        said: list[str] = []
        return said if verify_backup(self.settings, self.folder, said.append) else []


@pytest.fixture
def backups(tmp_path: Path) -> Backups:
    return Backups(tmp_path / "backup")


def test_earlier_backups_stay_and_can_be_named(backups: Backups) -> None:
    backups.add(1, "ab")
    backups.add(2, "abc")
    backups.add(3, "c")
    assert backups.counts() == [1, 3, 2]
    names = [found.name for found in read_snapshots(backups.folder)]
    assert names == [f"2026-01-0{day}T120000.000000Z" for day in (4, 3, 2)]
    assert [len(read_snapshot(backups.folder, name).traces) for name in names] == [1, 3, 2]
    assert len(read_snapshot(backups.folder, None).traces) == 1
    with pytest.raises(BackupError, match="holds no backup of '2026'; list them with: jitterscope verify"):
        read_snapshot(backups.folder, "2026")


def test_only_what_no_kept_backup_needs_is_removed(backups: Backups) -> None:
    backups.add(1, "ab")
    backups.add(2, "bc")
    backups.add(3, "cd")
    # Of a run that was killed before it wrote its manifest.
    unfinished = hashlib.sha256(b"x").hexdigest()
    backups.blobs.path(unfinished).parent.mkdir(exist_ok=True)
    backups.blobs.path(unfinished).write_text("x")
    backups.prune(3)
    assert (backups.counts(), backups.recordings()) == ([2, 2, 2], "abcd")
    backups.prune(2)
    assert (backups.counts(), backups.recordings()) == ([2, 2], "bcd")
    backups.prune(1)
    assert (backups.counts(), backups.recordings()) == ([2], "cd")
    backups.prune(1)
    assert (backups.counts(), backups.recordings()) == ([2], "cd")


def test_a_damaged_backup_that_stays_stops_it_before_anything_goes(backups: Backups) -> None:
    for day, recordings in enumerate(("a", "b", "c")):
        backups.add(day, recordings)
    kept = backups.folder / "snapshots" / "2026-01-02T120000.000000Z.json"
    kept.write_bytes(kept.read_bytes().replace(b"one", b"two"))
    with pytest.raises(BackupError, match="is damaged; remove it"):
        backups.prune(2)
    assert backups.recordings() == "abc"
    assert len(list((backups.folder / "snapshots").iterdir())) == 2


class Killed(BaseException):
    """Stands for the end of the process: nothing catches it."""


def until_killed(monkeypatch: pytest.MonkeyPatch, call: int, work: Callable[[], None]) -> bool:
    """Whether the work was killed just before its so-many-th change to a folder."""
    count = 0

    def counted(original: Callable[..., object]) -> Callable[..., object]:
        def change(*arguments: object, **named: object) -> object:
            nonlocal count
            count += 1
            if count == call:
                raise Killed
            return original(*arguments, **named)

        return change

    with monkeypatch.context() as patch:
        for name in ("unlink", "replace", "mkdir"):
            patch.setattr(Path, name, counted(getattr(Path, name)))
        patch.setattr(os, "fsync", counted(os.fsync))
        try:
            work()
        except Killed:
            return True
    return False


def test_every_backup_is_whole_wherever_a_kill_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kills = 0
    is_killed = True
    while is_killed:
        kills += 1
        backups = Backups(tmp_path / str(kills))
        backups.add(1, "ab")
        backups.add(2, "bc")

        def work(backups: Backups = backups) -> None:
            backups.add(3, "de")
            backups.prune(1)

        is_killed = until_killed(monkeypatch, kills, work)
        assert backups.problems() == []
        assert backups.counts() in ([2, 2], [2, 2, 2], [2])
        # The next run puts everything in order.
        backups.add(4, "de")
        backups.prune(1)
        assert (backups.counts(), backups.recordings(), backups.problems()) == ([2], "de", [])
    assert kills > 10
