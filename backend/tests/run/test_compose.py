"""What `docker-compose.yml` promises, without Docker: its text, and its commands as processes."""

import asyncio
import os
import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import yaml
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from jitterscope.embedded import EmbeddedPostgres
from jitterscope.embedded.roles import READER_DEFAULTS, forbid_functions
from jitterscope.settings import Settings
from jitterscope.store.read_connection import read_connection
from tests.api.test_loading import until
from tests.run.asking import is_ready, seconds_until_loaded

REPOSITORY = Path(__file__).resolve().parents[3]
COMPOSE = yaml.safe_load((REPOSITORY / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]  # as Docker's own schema has it
OURS = ("migrate", "api", "worker")
PASSWORD = 'it\'s-"secret"\\$HOME'
READ_PASSWORD = "another-$secret'"
# Debian's, which the tests of the store need, too.
PSQL_FOLDER = Path("/usr/lib/postgresql/15/bin")


def test_everything_waits_for_what_it_needs() -> None:
    assert set(SERVICES) == {"postgres", *OURS}
    assert SERVICES["migrate"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    for name in ("api", "worker"):
        assert SERVICES[name]["depends_on"] == {"migrate": {"condition": "service_completed_successfully"}}
    for name in ("postgres", "api", "worker"):
        assert SERVICES[name]["restart"] == "unless-stopped"
        assert SERVICES[name]["healthcheck"]["test"][0] == "CMD"
    assert SERVICES["migrate"]["restart"] == "no"


def test_access_is_declared_controlled_where_the_port_is_published_on_loopback() -> None:
    assert [name for name in SERVICES if "ports" in SERVICES[name]] == ["api"]
    assert all(port.startswith("127.0.0.1:") for port in SERVICES["api"]["ports"])
    controlled = [name for name in OURS if "JITTERSCOPE_ACCESS_CONTROLLED" in SERVICES[name]["environment"]]
    assert controlled == ["api"]
    assert "JITTERSCOPE_ACCESS_CONTROLLED=" not in environment_of_the_image()


def test_the_roles_of_a_new_container_forbid_what_the_embedded_database_forbids() -> None:
    script = (REPOSITORY / "scripts" / "postgres-roles.sh").read_text()
    assert forbid_functions().strip() in script
    for setting, value in READER_DEFAULTS.items():
        assert re.search(rf"jitterscope_read SET {setting} = '?{value}'?;", script), setting


def test_the_roles_of_a_new_container_are_harmless_and_read_the_views(tmp_path: Path) -> None:
    postgres = SERVICES["postgres"]
    assert postgres["environment"]["POSTGRES_USER"] not in environment_url_user()
    assert "./scripts/postgres-roles.sh:/docker-entrypoint-initdb.d/roles.sh:ro" in postgres["volumes"]
    with EmbeddedPostgres(tmp_path / "postgres") as server:
        # No database was asked for, so that it knows no role but the superuser's, as a new container.
        admin = conninfo_to_dict(server.url())
        subprocess.run(
            [REPOSITORY / "scripts" / "postgres-roles.sh"],
            env={
                "PATH": f"{PSQL_FOLDER}:{os.defpath}",
                "PGHOST": str(admin["host"]),
                "PGPASSFILE": str(admin["passfile"]),
                "POSTGRES_USER": str(admin["user"]),
                "JITTERSCOPE_DATABASE_PASSWORD": PASSWORD,
                "JITTERSCOPE_READ_PASSWORD": READ_PASSWORD,
            },
            check=True,
        )
        address = make_conninfo(
            host=str(admin["host"]),
            user="jitterscope",
            password=PASSWORD,
            dbname="jitterscope",
        )
        with psycopg.connect(address) as connection:
            row = connection.execute(
                "SELECT rolsuper, rolcreaterole, rolcreatedb, pg_get_userbyid(datdba) "
                "FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()"
            ).fetchone()
        service_url, reader_url = (
            f"postgresql://{role}:{quote(password)}@/jitterscope?host={admin['host']}"
            for role, password in (("jitterscope", PASSWORD), ("jitterscope_read", READ_PASSWORD))
        )
        migrate = [sys.executable, "-m", "jitterscope", "migrate"]
        subprocess.run(migrate, env={"PATH": os.defpath, "DATABASE_URL": service_url}, check=True)
        settings = Settings(database_url=service_url, sql_database_url=reader_url)
        assert asyncio.run(kinds_by_sql(settings)) == []
    assert row == (False, False, False, "jitterscope")


async def kinds_by_sql(settings: Settings) -> list[tuple[str]]:
    """A statement as people ask it, by a role that was found to be harmless."""
    async with read_connection(settings) as connection:
        found = await connection.execute("SELECT kind FROM latency_total")
        return await found.fetchall()


def environment_url_user() -> str:
    """Who the service connects as."""
    return str(SERVICES["api"]["environment"]["DATABASE_URL"]).partition("//")[2].partition(":")[0]


def environment_of_the_image() -> str:
    """The ENV of the last stage."""
    return (REPOSITORY / "Dockerfile").read_text().rpartition("\nENV ")[2]


def variables(service: str, database_url: str, folder: Path, port: int) -> dict[str, str]:
    """What a process of that service finds in its environment: the file's variables, no others."""
    image = dict(
        part.split("=", 1) for part in environment_of_the_image().split("\nUSER")[0].split() if "=" in part
    )
    own = {name: str(value) for name, value in SERVICES[service]["environment"].items()}
    # Folders, addresses and ports are those of this machine.
    here = {
        "PATH": os.defpath,
        "DATABASE_URL": database_url,
        "JITTERSCOPE_SQL_DATABASE_URL": database_url,
        "JITTERSCOPE_DATA": str(folder / "data"),
        "JITTERSCOPE_PORT": str(port),
        "JITTERSCOPE_WORKER_HEALTH_FILE": str(folder / "worker-alive"),
        "JITTERSCOPE_BASE_URL": f"http://127.0.0.1:{port}",
    }
    return image | own | here


def start(service: str, environment: dict[str, str], log: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "jitterscope", *SERVICES[service]["command"]]
    with log.open("a") as stderr:
        return subprocess.Popen(command, env=environment, stderr=stderr)


def test_its_commands_work_apart_with_a_database_that_starts_late(tmp_path: Path, port: int) -> None:
    folder = tmp_path / "postgres"
    with EmbeddedPostgres(folder) as postgres:
        url = postgres.ensure_database("late")
    environments = {name: variables(name, url, tmp_path, port) for name in OURS}
    migrate = start("migrate", environments["migrate"], tmp_path / "migrate.log")
    time.sleep(1.5)
    assert migrate.poll() is None, "it waits"
    with EmbeddedPostgres(folder):
        assert migrate.wait(60) == 0
        api, worker = (
            start(name, environments[name], tmp_path / f"{name}.log") for name in ("api", "worker")
        )
        try:
            until(lambda: is_ready(port), "the web server")
            seconds_until_loaded(port, 1)
            health = [sys.executable, "-m", "jitterscope", *SERVICES["worker"]["healthcheck"]["test"][4:]]
            assert subprocess.run(health, env=environments["worker"], check=False).returncode == 0
            for _ in range(5):
                assert is_ready(port)
        finally:
            api.terminate()
            worker.terminate()
            api.wait(30)
            worker.wait(30)
    said = (tmp_path / "api.log").read_text()
    assert "readyz" not in said
    assert "alembic" not in said
    assert "/api/v1/traces" in said


def test_a_container_without_the_declaration_refuses_with_the_way_out(tmp_path: Path) -> None:
    environment = variables("api", "postgresql:///none", tmp_path, 8000)
    del environment["JITTERSCOPE_ACCESS_CONTROLLED"]
    assert start("api", environment, tmp_path / "log").wait(30) != 0
    said = (tmp_path / "log").read_text()
    assert "JITTERSCOPE_HOST is 0.0.0.0" in said
    assert "JITTERSCOPE_ACCESS_CONTROLLED=true" in said


def test_readiness_without_a_database_is_logged(tmp_path: Path, port: int) -> None:
    api = start(
        "api", variables("api", f"postgresql:///none?host={tmp_path}", tmp_path, port), tmp_path / "log"
    )
    try:
        until(lambda: answers(port), "the web server")
        assert not is_ready(port)
    finally:
        api.terminate()
        api.wait(30)
    assert "readyz" in (tmp_path / "log").read_text()


def answers(port: int) -> bool:
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5).close()
    except OSError:
        return False
    return True
