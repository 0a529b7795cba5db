"""The embedded PostgreSQL: starting, stopping, and what is left after a kill."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from jitterscope.embedded import EmbeddedPostgres, EmbeddedPostgresError
from jitterscope.embedded.binaries import find_binaries
from jitterscope.embedded.cluster import LONGEST_SOCKET_PATH, prepare_data
from jitterscope.embedded.identity import Identity, candidates
from jitterscope.embedded.passwords import Passwords

# Writes a row, says so and waits to be killed.
VICTIM = """
import sys, time
from pathlib import Path
import psycopg
from jitterscope.embedded import EmbeddedPostgres
server = EmbeddedPostgres(Path(sys.argv[1]))
server.start()
with psycopg.connect(server.ensure_database("kept"), autocommit=True) as connection:
    connection.execute("CREATE TABLE IF NOT EXISTS note (word text)")
    connection.execute("INSERT INTO note VALUES ('written')")
    print(connection.info.backend_pid, flush=True)
    time.sleep(600)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all tests here, which therefore also start from what the test before has left."""
    return tmp_path_factory.mktemp("embedded") / "postgres"


def words(server: EmbeddedPostgres) -> list[str]:
    with psycopg.connect(server.ensure_database("kept")) as connection:
        return [word for (word,) in connection.execute("SELECT word FROM note")]


def start_victim(folder: Path) -> tuple[subprocess.Popen[str], int]:
    """A process with a server in `folder`, and the pid of one of the server's own processes."""
    victim = subprocess.Popen([sys.executable, "-c", VICTIM, str(folder)], stdout=subprocess.PIPE, text=True)
    assert victim.stdout is not None
    return victim, int(victim.stdout.readline())


def parent_of(pid: int) -> int:
    # 4242 (postgres) S 4200 ...
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_keeps_data_over_a_restart_and_starts_quickly(folder: Path) -> None:
    with EmbeddedPostgres(folder) as server, psycopg.connect(server.ensure_database("kept")) as connection:
        connection.execute("CREATE TABLE note (word text)")
        connection.execute("INSERT INTO note VALUES ('first')")
    began = time.monotonic()
    with EmbeddedPostgres(folder) as server:
        assert time.monotonic() - began < 5
        assert words(server) == ["first"]


def test_is_safe_by_default(folder: Path) -> None:
    with EmbeddedPostgres(folder) as server, psycopg.connect(server.ensure_database("kept")) as connection:
        shown = connection.execute(
            "SELECT current_setting('listen_addresses'), current_setting('data_checksums'), "
            "current_setting('fsync'), current_setting('synchronous_commit')"
        ).fetchone()
        assert shown == ("", "on", "on", "on")
        assert (folder / "socket").stat().st_mode & 0o777 == 0o700


def test_a_second_supervisor_is_refused(folder: Path) -> None:
    with (
        EmbeddedPostgres(folder),
        pytest.raises(EmbeddedPostgresError, match="in use by another"),
    ):
        EmbeddedPostgres(folder).start()


def test_starts_again_after_its_supervisor_was_killed(folder: Path) -> None:
    victim, backend = start_victim(folder)
    victim.kill()
    victim.communicate()
    with EmbeddedPostgres(folder) as server:
        assert "written" in words(server)
    assert not Path(f"/proc/{backend}").exists()


def test_recovers_after_everything_was_killed(folder: Path) -> None:
    victim, backend = start_victim(folder)
    postmaster = parent_of(backend)
    os.kill(postmaster, signal.SIGKILL)
    victim.kill()
    victim.communicate()
    with EmbeddedPostgres(folder) as server:
        assert "written" in words(server)


def test_a_pid_file_that_names_a_living_stranger_does_not_stop_it(folder: Path) -> None:
    pid_file = folder / str(find_binaries().major) / "postmaster.pid"
    pid_file.write_text(f"{os.getpid()}\n{pid_file.parent}\n0\n5432\n\n\n")
    with EmbeddedPostgres(folder) as server:
        assert server.is_running()


def test_a_long_path_gets_a_short_socket(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 30)
    with EmbeddedPostgres(folder) as server:
        with psycopg.connect(server.url()) as connection:
            socket_folder = connection.info.host
        assert len(socket_folder) < LONGEST_SOCKET_PATH
    Path(socket_folder).rmdir()


def test_data_of_another_version_is_not_hidden_by_an_empty_database(tmp_path: Path) -> None:
    (tmp_path / "9").mkdir()
    with pytest.raises(EmbeddedPostgresError, match="holds data of PostgreSQL 9"):
        prepare_data(tmp_path, find_binaries(), Passwords(tmp_path / "passwords"))


def test_root_becomes_nobody_and_everybody_else_stays() -> None:
    expected = 65534 if os.geteuid() == 0 else os.geteuid()
    users = {}
    for identity in candidates():
        shown = subprocess.run(
            identity.command(Path("/usr/bin/id"), "-u"), capture_output=True, check=False, text=True
        )
        if shown.returncode == 0:
            users[identity] = int(shown.stdout)
    # A container may forbid namespaces; the last identity works everywhere.
    assert candidates()[-1] in users
    assert set(users.values()) == {expected}


def test_says_why_an_identity_cannot_run_a_program(tmp_path: Path) -> None:
    refusal = Identity.SAME.refusal(tmp_path / "postgres")
    assert refusal == "as this user: FileNotFoundError: [Errno 2] No such file or directory"


def test_says_why_no_server_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Identity, "refusal", lambda self, _program: f"{self.description}: not permitted")
    with pytest.raises(EmbeddedPostgresError, match=r"not permitted.*DATABASE_URL"):
        find_binaries()
