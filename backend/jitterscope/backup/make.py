"""Backing up while the service runs."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from jitterscope.backup.copying import DamagedRecording, alone_in, copy_recording, size_of
from jitterscope.backup.errors import BackupError
from jitterscope.backup.manifest import Manifest, changed_settings, find_newest
from jitterscope.backup.opened import open_database, opened_settings
from jitterscope.backup.saved import Saved, all_saved
from jitterscope.backup.snapshots import prune, write_newest
from jitterscope.ingest.adopt import Adoption
from jitterscope.ingest.sidecar import Sidecar
from jitterscope.settings import Settings
from jitterscope.store import inventory, traces
from jitterscope.store.blobs import BlobStore
from jitterscope.store.database import Database

Say = Callable[[str], None]


@dataclass
class _Copied:
    """What became of the recordings."""

    traces: list[Sidecar] = field(default_factory=list)
    without_file: list[Sidecar] = field(default_factory=list)
    saved: Saved = field(default_factory=Saved)
    new_count: int = 0
    new_bytes: int = 0


def make_backup(settings: Settings, folder: Path, say: Say, keep: int | None = None) -> bool:
    """Whether all of it is in the backup; if not, what can be is, and the rest has been named.

    Recordings that the folder has already are not copied again. Killed at any moment, the backup before
    this one is still whole, and the next one continues from what was copied. With `keep`, only so many
    backups stay, this one included.
    Raises: BackupError, EmbeddedPostgresError, AppError, OSError.
    """
    if not settings.store_folder.is_dir():
        raise BackupError(f"{settings.store_folder} does not exist; name the data folder with --data")
    folder.mkdir(parents=True, exist_ok=True)
    if folder.resolve().is_relative_to(settings.store_folder.resolve()):
        raise BackupError(f"{folder} is inside the store; choose a folder elsewhere, best on another disk")
    with alone_in(folder), opened_settings(settings) as opened:
        target = BlobStore(settings, folder / "store")
        target.arriving.remove_abandoned()
        before = _find_earlier(folder, say)
        copied = asyncio.run(_copy(opened, target, say))
        manifest = Manifest(
            backup_id=secrets.token_hex(16) if before is None else before.backup_id,
            made_at=datetime.now(UTC),
            program=version("jitterscope"),
            settings=changed_settings(settings),
            traces=copied.traces,
            without_file=copied.without_file,
            experiments=copied.saved.experiments,
            baselines=copied.saved.baselines,
        )
        write_newest(folder, manifest, before, target.arriving)
        _say_copied(folder, copied, say)
        if keep is not None:
            _prune(folder, target, copied, keep, say)
    return not copied.without_file


def _say_copied(folder: Path, copied: _Copied, say: Say) -> None:
    say(
        f"{len(copied.traces)} traces are backed up in {folder}; {copied.new_count} files with "
        f"{copied.new_bytes} bytes were new"
    )


def _prune(folder: Path, target: BlobStore, copied: _Copied, keep: int, say: Say) -> None:
    # Somebody may have named the wrong data folder, or lost what is in it.
    if copied.without_file or not copied.traces:
        say("earlier backups are all kept, since this one is empty or not whole")
    else:
        prune(folder, target, keep, say)


def _find_earlier(folder: Path, say: Say) -> Manifest | None:
    try:
        return find_newest(folder)
    except BackupError as error:
        # Its recordings are still good for this one.
        say(str(error))
        return None


async def _copy(settings: Settings, target: BlobStore, say: Say) -> _Copied:
    database, source = open_database(settings), BlobStore(settings)
    try:
        await _take_in_unknown(database, source)
        described, saved = await _describe_all(database)
        say(f"{len(described)} traces to back up")
        copied = _Copied(saved=saved)
        for sidecar in described:
            await _copy_one(database, source, target, sidecar, copied, say)
    finally:
        await database.close()
    return copied


async def _take_in_unknown(database: Database, source: BlobStore) -> None:
    """A store that was just moved here may hold what the database has not seen yet."""
    adoption = Adoption(database, source)
    for sha256 in await inventory.unknown_hashes(database, await inventory.stored_hashes(source)):
        await adoption.adopt(sha256)


async def _describe_all(database: Database) -> tuple[list[Sidecar], Saved]:
    """All traces with what people said about them, and what they saved of them, at one moment."""
    async with database.snapshot() as session:
        rows = await inventory.all_traces(session)
        labels = await traces.labels_of(session, [row.key for row in rows])
        described = [Sidecar.of_trace(row, labels.get(row.key, {})) for row in rows]
        return described, await all_saved(session)


async def _copy_one(
    database: Database, source: BlobStore, target: BlobStore, sidecar: Sidecar, copied: _Copied, say: Say
) -> None:
    sha256 = sidecar.sha256
    if size_of(target, sha256) == sidecar.size_bytes:
        copied.traces.append(sidecar)
        return
    try:
        copied.new_bytes += await asyncio.to_thread(copy_recording, source, target, sha256)
        copied.new_count += 1
        copied.traces.append(sidecar)
    except FileNotFoundError:
        async with database.session() as session:
            is_deleted = await traces.find_by_content(session, sha256) is None
        if not is_deleted:
            say(f"{sidecar.name!r} ({sha256}) is not in the backup: its file is missing; upload it again")
            copied.without_file.append(sidecar)
    except DamagedRecording:
        say(f"{sidecar.name!r} ({sha256}) is not in the backup: its file is damaged; upload it again")
        copied.without_file.append(sidecar)
