"""The files of the embedded server: its data folder, its socket folder and who owns them."""

import contextlib
import hashlib
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from jitterscope.embedded.binaries import Binaries
from jitterscope.embedded.errors import EmbeddedPostgresError
from jitterscope.embedded.passwords import Passwords
from jitterscope.embedded.roles import ADMIN

SOCKET_NAME = ".s.PGSQL.5432"
# sun_path of unix(7) holds 108 bytes with the closing NUL.
LONGEST_SOCKET_PATH = 107


def prepare_data(folder: Path, binaries: Binaries, passwords: Passwords) -> Path:
    """The data folder of this major version below `folder`, made by initdb at the first call.

    Raises: EmbeddedPostgresError with the words of initdb if it fails.
    """
    data = folder / str(binaries.major)
    os.chown(folder, binaries.identity.owner, -1)
    if not data.exists():
        _refuse_other_versions(folder, binaries)
        _initialize(data, binaries, passwords.ensure(ADMIN))
    _give_to(binaries.identity.owner, data)
    return data


def forget_dead_server(data: Path) -> None:
    """Removes the pid file of a server that was killed, where it would stop the next one from starting.

    The caller holds the lock that every server process inherits, so none is left. The server itself only
    looks whether some process has the number in the file, and after a restart any process may have it.
    Otherwise the file stays, since it also tells the server which shared memory to clean up.
    """
    pid_file = data / "postmaster.pid"
    try:
        pid = int(pid_file.read_text().split("\n", 1)[0])
    except (FileNotFoundError, ValueError):
        return
    if Path("/proc", str(pid)).exists():
        pid_file.unlink()


def socket_folder_of(folder: Path) -> Path:
    """Where the socket of the server in `folder` is, or would be."""
    socket_folder = folder / "socket"
    if len(os.fsencode(socket_folder / SOCKET_NAME)) <= LONGEST_SOCKET_PATH:
        return socket_folder
    digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"jitterscope-{digest}"


def prepare_socket_folder(folder: Path, owner: int) -> Path:
    """An empty folder that only `owner` may enter and whose socket's path fits into the kernel's 107 bytes.

    The caller holds the lock that every server process inherits, so a socket in it is a dead server's.
    """
    socket_folder = socket_folder_of(folder)
    socket_folder.mkdir(mode=0o700, exist_ok=True)
    status = socket_folder.lstat()
    # In a folder for everybody's temporary files someone else may have made this name first.
    if not stat.S_ISDIR(status.st_mode) or status.st_uid not in (os.geteuid(), owner):
        raise EmbeddedPostgresError(f"{socket_folder} belongs to somebody else; remove it")
    socket_folder.chmod(0o700)
    os.chown(socket_folder, owner, -1)
    for leftover in (SOCKET_NAME, f"{SOCKET_NAME}.lock"):
        (socket_folder / leftover).unlink(missing_ok=True)
    return socket_folder


def _refuse_other_versions(folder: Path, binaries: Binaries) -> None:
    """A new empty database beside an old full one would look as if all traces were lost."""
    others = sorted(entry.name for entry in folder.iterdir() if entry.name.isdigit())
    if others:
        raise EmbeddedPostgresError(
            f"{folder} holds data of PostgreSQL {', '.join(others)}, but only {binaries.major} is installed; "
            f"install that version, or dump and restore the database, or move {folder} away"
        )


def _initialize(data: Path, binaries: Binaries, password: str) -> None:
    """Runs initdb beside `data` and renames the result, so that a killed run leaves no half-made folder."""
    unfinished = data.with_name(f"{data.name}.new")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(mode=0o700)
    os.chown(unfinished, binaries.identity.owner, -1)
    with _readable_by(binaries.identity.owner, data.parent, password) as password_file:
        command = binaries.identity.command(
            binaries.initdb,
            *("--pgdata", str(unfinished), "--username", ADMIN, "--pwfile", password_file),
            *("--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C.UTF-8"),
            *("--data-checksums", "--no-instructions"),
        )
        done = subprocess.run(command, capture_output=True, check=False, text=True, cwd="/")
    if done.returncode != 0:
        raise EmbeddedPostgresError(f"initdb failed in {data.parent}: {done.stderr.strip()}")
    unfinished.rename(data)


@contextlib.contextmanager
def _readable_by(owner: int, folder: Path, text: str) -> Iterator[str]:
    """The path of a file with this text that only `owner` may read; it is gone at the end of the block."""
    with tempfile.NamedTemporaryFile("w", dir=folder, prefix="password-") as file:
        file.write(f"{text}\n")
        file.flush()
        os.chown(file.name, owner, -1)
        yield file.name


def _give_to(owner: int, data: Path) -> None:
    """Changes the owner of everything, if an earlier run used another identity."""
    if data.stat().st_uid == owner:
        return
    for place, _, files in os.walk(data):
        os.chown(place, owner, -1)
        for name in files:
            os.chown(Path(place) / name, owner, -1, follow_symlinks=False)
