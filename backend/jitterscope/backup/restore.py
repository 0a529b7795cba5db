"""Restoring a backup into an empty service."""

import asyncio
import json
import os
from pathlib import Path

from sqlalchemy import func, select

from jitterscope.backup.copying import DamagedRecording, alone_in, copy_recording
from jitterscope.backup.errors import BackupError
from jitterscope.backup.make import Say
from jitterscope.backup.manifest import Manifest, changed_settings
from jitterscope.backup.opened import open_database, opened_settings
from jitterscope.backup.saved import put_back
from jitterscope.backup.snapshots import read_snapshot
from jitterscope.ingest.adopt import Adoption
from jitterscope.ingest.sidecar import Sidecar
from jitterscope.settings import Settings
from jitterscope.store import tombstones
from jitterscope.store.blobs import BlobStore
from jitterscope.store.database import Database
from jitterscope.store.models import Trace

# Says which backup the data folder was filled from, and whether that was finished.
_MARKER = "restored-from.json"


def restore_backup(settings: Settings, folder: Path, say: Say, snapshot: str | None = None) -> bool:
    """Whether every trace of the backup is there; if not, the others are, and the rest has been named.

    The traces have their ids, names, labels and times of upload, and are loaded when the service starts.
    Killed at any moment, it continues when it is run again.
    Raises: BackupError, EmbeddedPostgresError, AppError, OSError.
    """
    manifest = read_snapshot(folder, snapshot)
    settings.data.mkdir(parents=True, exist_ok=True)
    with alone_in(folder), opened_settings(settings, is_new=True) as opened:
        is_whole = asyncio.run(_restore(opened, BlobStore(settings, folder / "store"), manifest, say))
    now = changed_settings(settings)
    for variable, value in manifest.settings.items():
        if now.get(variable) != value:
            say(f"the backup was made with {variable}={value}; set it to have the service as it was")
    return is_whole


async def _restore(settings: Settings, source: BlobStore, manifest: Manifest, say: Say) -> bool:
    database, target = open_database(settings), BlobStore(settings)
    try:
        target.arriving.remove_abandoned()
        was_finished = await _begin(settings, database, target, manifest)
        _write_marker(settings, target, manifest, is_finished=was_finished)
        failures = 0
        adoption = Adoption(database, target)
        for sidecar in manifest.traces:
            failures += not await _restore_one(database, adoption, source, target, sidecar, say)
        for sidecar in manifest.without_file:
            say(f"{sidecar.name!r} ({sidecar.sha256}) was without its file when the backup was made")
        # One that was deleted since then is not wanted back.
        if not was_finished:
            async with database.session() as session:
                await put_back(session, manifest)
        _write_marker(settings, target, manifest, is_finished=True)
    finally:
        await database.close()
    say(f"{len(manifest.traces) - failures} traces are restored; start the service to load them")
    return not failures


async def _begin(settings: Settings, database: Database, target: BlobStore, manifest: Manifest) -> bool:
    """Whether this backup was restored here before to its end.

    Raises: BackupError if what is here is not from this backup.
    """
    marker = _read_marker(settings)
    if marker.get("backup_id") == manifest.backup_id:
        return marker.get("is_finished") is True
    async with database.session() as session:
        count = await session.scalar(select(func.count()).select_from(Trace)) or 0
    count = max(count, sum(1 for _ in target.hashes()))
    if count:
        raise BackupError(
            f"{settings.data} and its database hold {count} recordings that are not from this backup; "
            "restore into an empty folder (--data DIR) and an empty database, or upload what you miss"
        )
    return False


async def _restore_one(
    database: Database, adoption: Adoption, source: BlobStore, target: BlobStore, sidecar: Sidecar, say: Say
) -> bool:
    sha256 = sidecar.sha256
    async with database.session() as session:
        # Somebody has deleted it since it was restored.
        if await tombstones.is_buried(session, sha256):
            return True
    if not target.has(sha256):
        try:
            await asyncio.to_thread(target.write_sidecar, sha256, sidecar.to_bytes())
            await asyncio.to_thread(copy_recording, source, target, sha256)
        except FileNotFoundError:
            say(f"{sidecar.name!r} ({sha256}) is missing in the backup")
            return False
        except DamagedRecording:
            say(f"{sidecar.name!r} ({sha256}) is damaged in the backup")
            return False
    await adoption.adopt(sha256)
    return True


def _read_marker(settings: Settings) -> dict[str, object]:
    try:
        return dict(json.loads((settings.data / _MARKER).read_bytes()))
    except (FileNotFoundError, ValueError):
        return {}


def _write_marker(settings: Settings, target: BlobStore, manifest: Manifest, *, is_finished: bool) -> None:
    content = json.dumps({"backup_id": manifest.backup_id, "is_finished": is_finished})
    with target.arriving.open() as incoming:
        incoming.write(content.encode() + b"\n")
        os.fsync(incoming.descriptor)
        incoming.path.replace(settings.data / _MARKER)
