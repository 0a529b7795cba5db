"""Checking every byte of a store against its database, or of a backup against its manifest."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

from jitterscope.backup.errors import BackupError
from jitterscope.backup.make import Say
from jitterscope.backup.opened import open_database, opened_settings
from jitterscope.backup.snapshots import read_snapshots
from jitterscope.ingest.sidecar import Sidecar, parse_sidecar
from jitterscope.settings import Settings
from jitterscope.store import inventory, tombstones, traces
from jitterscope.store.blobs import BlobStore
from jitterscope.store.database import Database


def verify_backup(settings: Settings, folder: Path, say: Say) -> int:
    """How many things are wrong with the backups in a folder; each has been named.

    Raises: BackupError if there is none, or one cannot be read.
    """
    snapshots = read_snapshots(folder)
    newest = snapshots[0].manifest
    blobs = BlobStore(settings, folder / "store")
    problems = 0
    # Of a recording that several name, the newest description counts, and its file is read once.
    everything = {trace.sha256: trace for found in reversed(snapshots) for trace in found.manifest.traces}
    for sidecar in everything.values():
        for problem in _file_problems(blobs, sidecar):
            say(problem)
            problems += 1
    for sidecar in newest.without_file:
        say(f"{sidecar.name!r} ({sidecar.sha256}) was without its file when the backup was made")
        problems += 1
    if unneeded := sum(sha256 not in everything for sha256 in blobs.hashes()):
        say(f"{unneeded} files are of no backup, as after an unfinished run; backup --keep removes them")
    for found in snapshots:
        say(f"backup {found.name}: {len(found.manifest.traces)} traces")
    say(f"{len(everything)} traces checked: {problems} problems")
    return problems


def verify_store(settings: Settings, say: Say) -> int:
    """How many things are wrong with the store and what the database knows of it; each has been named.

    The service may run: what changes in the meantime is looked at again before it is called wrong.
    Raises: BackupError, EmbeddedPostgresError, AppError.
    """
    if not settings.store_folder.is_dir():
        raise BackupError(f"{settings.store_folder} does not exist; name the data folder with --data")
    with opened_settings(settings) as opened:
        return asyncio.run(_verify(opened, say))


async def _verify(settings: Settings, say: Say) -> int:
    database, blobs = open_database(settings), BlobStore(settings)
    problems = 0
    try:
        async with database.snapshot() as session:
            ids = [row.id for row in await inventory.all_traces(session)]
        for trace_id in ids:
            for problem in await _trace_problems(database, blobs, trace_id):
                say(problem)
                problems += 1
        problems += await _check_unknown(database, blobs, say)
    finally:
        await database.close()
    say(f"{len(ids)} traces checked: {problems} problems")
    return problems


async def _trace_problems(database: Database, blobs: BlobStore, trace_id: str) -> list[str]:
    sidecar = await _described(database, trace_id)
    if sidecar is None or not await asyncio.to_thread(_problems, blobs, sidecar):
        return []
    # It may have been deleted, renamed or replaced since; that is done under the lock.
    async with database.session() as session:
        await traces.lock_content(session, sidecar.sha256)
        sidecar = await _described(database, trace_id)
        return [] if sidecar is None else await asyncio.to_thread(_problems, blobs, sidecar)


def _problems(blobs: BlobStore, sidecar: Sidecar) -> list[str]:
    problems = list(_file_problems(blobs, sidecar))
    if not problems and not _is_described(blobs, sidecar):
        problems.append(
            f"{sidecar.name!r} ({sidecar.sha256}): the .json beside its file does not say what the database "
            "says; the service writes it anew when it starts, and every hour"
        )
    return problems


async def _described(database: Database, trace_id: str) -> Sidecar | None:
    async with database.session() as session:
        row = await traces.find_or_none(session, trace_id)
        if row is None:
            return None
        labels = await traces.labels_of(session, [row.key])
        return Sidecar.of_trace(row, labels.get(row.key, {}))


def _file_problems(blobs: BlobStore, sidecar: Sidecar) -> Iterator[str]:
    name = f"{sidecar.name!r} ({sidecar.sha256})"
    try:
        found, size_bytes = blobs.hash_of(sidecar.sha256)
    except FileNotFoundError:
        yield f"{name}: its file is missing; upload it again"
        return
    except OSError as error:
        yield f"{name}: its file cannot be read: {error.strerror}"
        return
    if found != sidecar.sha256:
        yield f"{name}: its file is damaged, the hash is now {found}; upload it again"
    elif size_bytes != sidecar.size_bytes:
        yield f"{name}: it has {size_bytes} bytes and {sidecar.size_bytes} are on record"


def _is_described(blobs: BlobStore, sidecar: Sidecar) -> bool:
    content = blobs.read_sidecar(sidecar.sha256)
    return content is not None and parse_sidecar(content, sidecar.sha256, sidecar.size_bytes) == sidecar


async def _check_unknown(database: Database, blobs: BlobStore, say: Say) -> int:
    """Files without a trace: damaged ones are wrong, the others only wait to be taken in or removed."""
    problems = 0
    stored = await inventory.stored_hashes(blobs)
    for sha256 in await inventory.unknown_hashes(database, stored):
        try:
            found, _ = await asyncio.to_thread(blobs.hash_of, sha256)
        except FileNotFoundError:
            continue
        if found != sha256:
            say(f"{sha256} belongs to no trace and is damaged, its hash is {found}; remove or replace it")
            problems += 1
        else:
            say(f"{sha256} belongs to no trace yet; the running service takes it in within the hour")
    async with database.session() as session:
        for sha256 in sorted(await tombstones.buried(session, stored)):
            say(f"{sha256} belongs to a deleted trace; the running service removes it after a day")
    return problems
