"""The backups of earlier moments in the same folder, and how they go.

`manifest.json` is the newest. The one before it moves to `snapshots/<time>.json` when a newer one comes. All
of them share the recordings, which are removed last: whatever a kill leaves, each manifest that is there has
what it names.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jitterscope.backup.errors import BackupError
from jitterscope.backup.manifest import (
    NEWEST,
    Manifest,
    find_manifest,
    read_newest,
    sync_folder,
    write_manifest,
)
from jitterscope.store.arriving import ArrivingFiles
from jitterscope.store.blobs import BlobStore

_FOLDER = "snapshots"
_NAME = re.compile(r"\d{4}-\d\d-\d\dT\d{6}\.\d{6}Z")


@dataclass(frozen=True)
class Snapshot:
    """The backup of one moment. The name is that moment in UTC, and sorts by it."""

    name: str
    manifest: Manifest


def name_of(manifest: Manifest) -> str:
    return f"{manifest.made_at:%Y-%m-%dT%H%M%S.%fZ}"


def write_newest(folder: Path, manifest: Manifest, before: Manifest | None, arriving: ArrivingFiles) -> None:
    """Make this the newest backup and keep the one before; on return both survive a power cut."""
    if before is not None:
        path = _path(folder, name_of(before))
        path.parent.mkdir(exist_ok=True)
        write_manifest(path, before, arriving)
    write_manifest(folder / NEWEST, manifest, arriving)


def read_snapshots(folder: Path) -> list[Snapshot]:
    """All of them, the newest first. Raises: BackupError if there is none, or one is damaged."""
    newest = read_newest(folder)
    earlier = [Snapshot(path.stem, _read(path)) for path in _earlier_paths(folder, newest)]
    return [Snapshot(name_of(newest), newest), *earlier]


def read_snapshot(folder: Path, name: str | None) -> Manifest:
    """One of them, without a name the newest. Raises: BackupError."""
    newest = read_newest(folder)
    if name is None or name == name_of(newest):
        return newest
    for path in _earlier_paths(folder, newest):
        if path.stem == name:
            return _read(path)
    raise BackupError(f"{folder} holds no backup of {name!r}; list them with: jitterscope verify {folder}")


def prune(folder: Path, blobs: BlobStore, keep: int, say: Callable[[str], None]) -> None:
    """Remove all backups but the newest `keep`, and then the recordings that none of these needs.

    Raises: BackupError, before anything is removed, if one that stays is damaged.
    """
    newest = read_newest(folder)
    paths = _earlier_paths(folder, newest)
    kept, dropped = paths[: keep - 1], paths[keep - 1 :]
    needed = {trace.sha256 for manifest in (newest, *map(_read, kept)) for trace in manifest.traces}
    for path in dropped:
        path.unlink()
    if dropped:
        sync_folder(folder / _FOLDER)
    unneeded = [sha256 for sha256 in blobs.hashes() if sha256 not in needed]
    for sha256 in unneeded:
        blobs.remove(sha256)
    say(f"{len(kept) + 1} backups are kept; {len(dropped)} and {len(unneeded)} files of theirs were removed")


def _path(folder: Path, name: str) -> Path:
    return folder / _FOLDER / f"{name}.json"


def _earlier_paths(folder: Path, newest: Manifest) -> list[Path]:
    """The newest first. A kill may leave the newest one here, too; it counts once."""
    try:
        names = os.listdir(folder / _FOLDER)  # noqa: PTH208 (names are all that is needed)
    except FileNotFoundError:
        return []
    stems = {name.removesuffix(".json") for name in names if name.endswith(".json")}
    found = sorted(stem for stem in stems if _NAME.fullmatch(stem) and stem != name_of(newest))
    return [_path(folder, name) for name in reversed(found)]


def _read(path: Path) -> Manifest:
    manifest = find_manifest(path)
    if manifest is None:
        raise BackupError(f"{path} is gone; give the command again")
    return manifest
