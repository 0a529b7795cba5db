"""What a backup holds. It is written last, so that there is a whole backup or the one before it."""

import hashlib
import json
import os
from datetime import datetime
from pathlib import Path

from pydantic import SecretStr, ValidationError

from jitterscope.backup.errors import BackupError
from jitterscope.backup.saved import Saved
from jitterscope.ingest.sidecar import Sidecar
from jitterscope.settings import Settings
from jitterscope.store.arriving import ArrivingFiles

NEWEST = "manifest.json"
_VERSION = 1
# They say where the service is, not how it behaves.
_PLACES = ("data", "frontend", "worker_health_file")


class Manifest(Saved):
    """The traces as they were at one moment, without those whose file was not to be had."""

    version: int = _VERSION
    # The same for all backups into one folder.
    backup_id: str
    made_at: datetime
    program: str
    # Environment variable and value of those that are not the defaults.
    settings: dict[str, str]
    traces: list[Sidecar]
    without_file: list[Sidecar]


def changed_settings(settings: Settings) -> dict[str, str]:
    """Variables of the settings that are not the defaults, without secrets and places."""
    changed = {}
    for name, field in type(settings).model_fields.items():
        value = getattr(settings, name)
        is_default = value == field.get_default(call_default_factory=True)
        if not is_default and not isinstance(value, SecretStr) and name not in _PLACES:
            text = json.dumps(value) if isinstance(value, list | dict) else str(value)
            changed[f"JITTERSCOPE_{name.upper()}"] = text
    return changed


def write_manifest(path: Path, manifest: Manifest, arriving: ArrivingFiles) -> None:
    """Write or replace a manifest; on return it survives a power cut."""
    body = manifest.model_dump_json(indent=1)
    content = json.dumps({"sha256": hashlib.sha256(body.encode()).hexdigest()}) + "\n" + body + "\n"
    with arriving.open() as incoming:
        incoming.write(content.encode())
        os.fsync(incoming.descriptor)
        incoming.path.replace(path)
    sync_folder(path.parent)


def find_manifest(path: Path) -> Manifest | None:
    """The manifest in a file; None where there is none.

    Raises: BackupError if it is damaged.
    """
    try:
        head, _, body = path.read_bytes().partition(b"\n")
    except FileNotFoundError:
        return None
    except NotADirectoryError as error:
        raise BackupError(f"{path.parent} is not a folder") from error
    body = body.removesuffix(b"\n")
    damaged = f"{path} is damaged; remove it, and back up again"
    try:
        sha256 = json.loads(head)["sha256"]
        manifest = Manifest.model_validate_json(body)
    except (ValueError, ValidationError, KeyError, TypeError) as error:
        raise BackupError(damaged) from error
    if sha256 != hashlib.sha256(body).hexdigest():
        raise BackupError(damaged)
    if manifest.version > _VERSION:
        raise BackupError(
            f"{path} was written by Jitterscope {manifest.program}; use that version or a newer one"
        )
    return manifest


def find_newest(folder: Path) -> Manifest | None:
    """The manifest of the newest backup in a folder; None where none was ever finished.

    Raises: BackupError if it is damaged.
    """
    return find_manifest(folder / NEWEST)


def read_newest(folder: Path) -> Manifest:
    """Raises: BackupError if there is none, or it is damaged."""
    manifest = find_newest(folder)
    if manifest is None:
        raise BackupError(f"{folder} holds no finished backup; make one with: jitterscope backup {folder}")
    return manifest


def sync_folder(folder: Path) -> None:
    """On return what was renamed and removed in the folder survives a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
