"""The embedded server asks everybody for a password, also in a data folder that used to ask nobody."""

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from alembic import command

from jitterscope.embedded import EmbeddedPostgres, authentication, server
from jitterscope.embedded.binaries import find_binaries
from jitterscope.embedded.passwords import Passwords
from jitterscope.embedded.roles import ADMIN, PRODUCT, READER
from jitterscope.store.migrate import alembic_config, upgrade_to_head

DATABASE = "jitterscope"
TRACE = """
INSERT INTO trace (id, sha256, filename, name, status, progress, bytes_done, bytes_total, attempt,
                   crash_count, size_bytes)
VALUES ('t', 's', 'f', 'n', 'ready', 1, 1, 1, 1, 0, 1)
"""

OWNERS = """
SELECT DISTINCT pg_get_userbyid(relowner) FROM pg_class WHERE relnamespace = 'public'::regnamespace
UNION SELECT pg_get_userbyid(proowner) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
UNION SELECT pg_get_userbyid(typowner) FROM pg_type WHERE typnamespace = 'public'::regnamespace
UNION SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = current_database()
"""


@pytest.fixture(scope="module")
def trusting_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder as release 0.1 made it: no passwords, and the superuser `jitterscope` owns everything."""
    folder = tmp_path_factory.mktemp("trusting") / "postgres"
    binaries = find_binaries()
    data = folder / str(binaries.major)
    data.mkdir(parents=True, mode=0o700)
    os.chown(folder, binaries.identity.owner, -1)
    os.chown(data, binaries.identity.owner, -1)
    options = ["--auth", "trust", "--encoding", "UTF8", "--locale", "C.UTF-8", "--data-checksums"]
    subprocess.run(
        binaries.identity.command(
            binaries.initdb, "--pgdata", str(data), "--username", "jitterscope", *options
        ),
        check=True,
        capture_output=True,
    )
    rules = (data / "pg_hba.conf").read_text()
    with pytest.MonkeyPatch.context() as patch:
        # The server of today in the place of the old one: it asks nobody, and changes nothing.
        patch.setattr(server, "require_passwords", lambda *_: None)
        patch.setattr(EmbeddedPostgres, "_wait_until_ready", _wait_for_socket)
        with EmbeddedPostgres(folder) as old:
            address = f"postgresql://jitterscope@/{{}}?host={quote(str(folder / 'socket'), safe='')}"
            with psycopg.connect(address.format("postgres"), autocommit=True) as connection:
                connection.execute("CREATE DATABASE jitterscope")
            patch.setenv("DATABASE_URL", address.format(DATABASE))
            command.upgrade(alembic_config(), "head")
            with psycopg.connect(address.format(DATABASE)) as connection:
                connection.execute(TRACE)
            assert old.is_running()
    assert (data / "pg_hba.conf").read_text() == rules
    return folder


def _wait_for_socket(running: EmbeddedPostgres) -> None:
    folder = running.log_path.parent
    while running.is_running():
        try:
            psycopg.connect(
                f"postgresql://jitterscope@/postgres?host={quote(str(folder / 'socket'))}"
            ).close()
        except psycopg.OperationalError:
            continue
        return
    raise AssertionError(running.log_path.read_text())


@pytest.fixture
def folder(trusting_folder: Path, tmp_path: Path) -> Iterator[Path]:
    copy = tmp_path / "postgres"
    shutil.copytree(trusting_folder, copy, copy_function=_copy_with_owner)
    yield copy
    shutil.rmtree(copy)


def _copy_with_owner(source: str, target: str) -> None:
    shutil.copy2(source, target)
    os.chown(target, os.stat(source).st_uid, -1)  # noqa: PTH116 (what copytree calls hands over strings)


def check_upgraded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with EmbeddedPostgres(folder) as running:
        url = running.ensure_database(DATABASE)
        monkeypatch.setenv("DATABASE_URL", url)
        upgrade_to_head()
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT id FROM trace").fetchall() == [("t",)]
            owners = connection.execute(OWNERS)
            assert owners.fetchall() == [(PRODUCT,)]
            roles = connection.execute(
                "SELECT rolname, rolsuper FROM pg_roles WHERE rolname NOT LIKE 'pg\\_%' ORDER BY rolname"
            )
            assert roles.fetchall() == [(PRODUCT, False), (ADMIN, True), (READER, False)]
            # What an upgrade of the schema does to tables that the superuser made.
            connection.execute("ALTER TABLE trace ADD COLUMN added integer; DROP VIEW event")
        asked = "fe_sendauth: no password supplied"
        for role in (ADMIN, PRODUCT, READER):
            bare = f"postgresql://{role}@/{DATABASE}?host={quote(str(folder / 'socket'), safe='')}"
            with pytest.raises(psycopg.OperationalError, match=asked):
                psycopg.connect(bare)


def test_an_old_folder_gets_roles_and_passwords_and_keeps_its_rows(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_upgraded(folder, monkeypatch)
    for role in (ADMIN, PRODUCT, READER):
        status = (folder / "passwords" / role).stat()
        assert stat.S_IMODE(status.st_mode) == 0o600
    assert stat.S_IMODE((folder / "passwords").stat().st_mode) == 0o700


class Killed(BaseException):
    """Stands for a kill in the middle."""


@pytest.mark.parametrize(
    ("place", "step"),
    [
        (Passwords, "write"),
        (authentication, "_replace"),
        (server, "ensure_roles"),
        (server, "give_database"),
        (server, "give_objects"),
    ],
)
def test_an_upgrade_that_was_killed_is_finished_by_the_next_start(
    folder: Path, monkeypatch: pytest.MonkeyPatch, place: object, step: str
) -> None:
    def die(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(place, step, die)
        with pytest.raises(Killed), EmbeddedPostgres(folder) as running:
            running.ensure_database(DATABASE)
    check_upgraded(folder, monkeypatch)


def test_lost_passwords_are_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "postgres"
    with EmbeddedPostgres(folder) as running:
        running.ensure_database(DATABASE)
    shutil.rmtree(folder / "passwords")
    with (
        EmbeddedPostgres(folder) as running,
        psycopg.connect(running.ensure_database(DATABASE)) as connection,
    ):
        assert connection.execute("SELECT current_user").fetchone() == (PRODUCT,)
