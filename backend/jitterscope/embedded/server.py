"""Starts, watches and stops the embedded PostgreSQL."""

import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

import psycopg
from psycopg import sql

from jitterscope.embedded.authentication import require_passwords
from jitterscope.embedded.binaries import find_binaries
from jitterscope.embedded.cluster import (
    forget_dead_server,
    prepare_data,
    prepare_socket_folder,
    socket_folder_of,
)
from jitterscope.embedded.disk import disk_settings
from jitterscope.embedded.errors import EmbeddedPostgresError
from jitterscope.embedded.locks import FolderLocks
from jitterscope.embedded.log_file import end_of_log, open_log
from jitterscope.embedded.passwords import Passwords
from jitterscope.embedded.roles import ADMIN, PRODUCT, ensure_roles, give_database, give_objects

# Replaying the log after a crash may take a while; a server that died is noticed at once.
START_SECONDS = 300.0

# For one application on one machine that it shares with its users. Durability is left as PostgreSQL
# has it by default: an answered upload survives the loss of power.
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "256MB",
    "work_mem": "16MB",
    "maintenance_work_mem": "128MB",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "checkpoint_timeout": "15min",
    "random_page_cost": "1.1",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_min_duration_statement": "2s",
    "idle_in_transaction_session_timeout": "10min",
}

# The signals of postmaster(1), the gentle one first, each with the seconds it is given.
STOP_STEPS = ((signal.SIGINT, 30.0), (signal.SIGQUIT, 10.0), (signal.SIGKILL, 10.0))

# A server that hangs gets so long to end at once, and the kernel as long to end it.
KILL_SECONDS = 5.0


class EmbeddedPostgres:
    """A PostgreSQL in `folder` that listens on a private socket only; a context manager.

    `major` asks for one version of PostgreSQL; without it, the best one here is taken.
    Start it from the main thread: the kernel stops the server when the thread that started it ends.
    """

    def __init__(self, folder: Path, major: int | None = None) -> None:
        self._folder = folder.resolve()
        self._major = major
        self._locks = FolderLocks(self._folder)
        self._passwords = Passwords(self._folder / "passwords")
        self._process: subprocess.Popen[bytes] | None = None
        self._socket_folder: Path | None = None

    def start(self) -> None:
        """Returns when the server answers.

        Raises: EmbeddedPostgresError if it cannot run here or does not start.
        """
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._locks.acquire()
        try:
            binaries = find_binaries(self._major)
            data = prepare_data(self._folder, binaries, self._passwords)
            self._socket_folder = prepare_socket_folder(self._folder, binaries.identity.owner)
            folders = {"unix_socket_directories": str(self._socket_folder)}
            settings = SETTINGS | disk_settings(self._folder) | folders
            arguments = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
            forget_dead_server(data)
            require_passwords(data, binaries, self._passwords)
            with open_log(self.log_path) as log:
                self._process = subprocess.Popen(
                    binaries.identity.command(binaries.postgres, "-D", str(data), *arguments),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    cwd="/",
                    env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
                    pass_fds=() if self._locks.server is None else (self._locks.server,),
                    # Ctrl-C is for the supervisor, which stops the server after the server's clients.
                    start_new_session=True,
                )
            self._wait_until_ready()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Returns when the server has gone; harmless when it is not running."""
        if self._process is not None:
            for number, seconds in STOP_STEPS:
                self._process.send_signal(number)
                try:
                    self._process.wait(seconds)
                    break
                except subprocess.TimeoutExpired:
                    continue
            self._process = None
        self._locks.release()

    def kill(self) -> bool:
        """Whether the server is gone: without a farewell, to be recovered from its log at the next start."""
        if self._process is None:
            return True
        # The first has all of its processes end at once, and the second lets one that was stopped hear it.
        for number in (signal.SIGQUIT, signal.SIGCONT):
            self._process.send_signal(number)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(KILL_SECONDS)
            return True
        self._process.kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(KILL_SECONDS)
            return True
        return False

    def restart(self) -> None:
        """Starts it again after it has ended, in the same folder and under the same address.

        Raises: EmbeddedPostgresError as `start` does; to be tried again then.
        """
        self.stop()
        self.start()

    def url(self, database: str = "postgres", role: str = ADMIN) -> str:
        """The libpq address of a database of this server for a role, by default the superuser."""
        if self._socket_folder is None:
            raise EmbeddedPostgresError("the embedded PostgreSQL has not been started")
        return _address(self._socket_folder, self._passwords, database, role)

    def ensure_database(self, name: str) -> str:
        """The product's address of the database of that name, which is created if it is missing."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            ensure_roles(connection, self._passwords)
            known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,))
            if known.fetchone() is None:
                _create_database(connection, name)
            give_database(connection, name)
        with psycopg.connect(self.url(name), autocommit=True) as connection:
            give_objects(connection)
        return self.url(name, PRODUCT)

    def is_running(self) -> bool:
        return self._process is not None and self.exit_code() is None

    @property
    def pid(self) -> int:
        """That of the server's first process. Raises: EmbeddedPostgresError if it was not started."""
        if self._process is None:
            raise EmbeddedPostgresError("the embedded PostgreSQL has not been started")
        return self._process.pid

    def exit_code(self) -> int | None:
        """What the server ended with; None as long as it runs."""
        return None if self._process is None else self._process.poll()

    def __enter__(self) -> "EmbeddedPostgres":
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def log_path(self) -> Path:
        return self._folder / "server.log"

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            try:
                psycopg.connect(self.url(), connect_timeout=10).close()
                return
            except psycopg.OperationalError as refusal:
                if not self.is_running():
                    raise EmbeddedPostgresError(
                        f"PostgreSQL did not start; the end of {self.log_path}:\n{end_of_log(self.log_path)}"
                    ) from refusal
            time.sleep(0.02)
        raise EmbeddedPostgresError(
            f"PostgreSQL did not answer within {START_SECONDS:.0f} s; see {self.log_path}"
        )


def running_url(folder: Path, database: str) -> str | None:
    """The product's address of a database of the server in `folder`, or None if none answers there.

    For a second process beside the one that started the server.
    """
    whole = folder.resolve()
    url = _address(socket_folder_of(whole), Passwords(whole / "passwords"), database, PRODUCT)
    try:
        psycopg.connect(url, connect_timeout=10).close()
    except psycopg.OperationalError:
        return None
    return url


def _address(socket_folder: Path, passwords: Passwords, database: str, role: str) -> str:
    host, passfile = (quote(str(path), safe="") for path in (socket_folder, passwords.file(role)))
    return f"postgresql://{role}@/{quote(database)}?host={host}&passfile={passfile}"


def _create_database(connection: psycopg.Connection, name: str) -> None:
    connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    # Four times faster than pglz for the arrays of blocks; not every build has it.
    has_lz4 = connection.execute(
        "SELECT 'lz4' = ANY (enumvals) FROM pg_settings WHERE name = 'default_toast_compression'"
    ).fetchone()
    if has_lz4 == (True,):
        connection.execute(
            sql.SQL("ALTER DATABASE {} SET default_toast_compression = 'lz4'").format(sql.Identifier(name))
        )
