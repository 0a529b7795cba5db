"""Statements of people, sent to a service."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import psycopg
import pytest
from pydantic import SecretStr

from jitterscope.embedded import EmbeddedPostgres
from jitterscope.embedded.roles import READER
from tests.api.service import Service, client_of, own_database, running_worker, serving, settings_for

DATABASE = "people"
SLOW = "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"


@contextmanager
def serving_people(
    postgres: EmbeddedPostgres, folders: pytest.TempPathFactory, database: str = DATABASE
) -> Iterator[Service]:
    """A service with a worker and the role of people's SQL, and low limits."""
    limits = {
        "sql_database_url": SecretStr(postgres.url(database, READER)),
        "sql_seconds": 2.0,
        "max_sql_statements": 2,
        "max_waiting_sql_statements": 0,
        "max_sql_row_bytes": 100_000,
        "max_sql_bytes": 1_000_000,
        "max_sql_rows": 5_000,
        "sql_memory_bytes": 256 << 20,
    }
    settings = settings_for(folders.mktemp(database), own_database(postgres, database), limits)
    with serving(settings) as base_url, client_of(base_url) as client, running_worker(settings):
        yield Service(settings, client, base_url)


def ask(service: Service, sql: str, **more: object) -> httpx2.Response:
    return service.client.post("/api/v1/sql", json={"sql": sql, **more})


def rows(service: Service, sql: str, **more: object) -> list[list[object]]:
    response = ask(service, sql, **more)
    assert response.status_code == 200, response.text
    found: list[list[object]] = response.json()["rows"]
    return found


def refused(service: Service, sql: str, status: int = 422, **more: object) -> dict[str, object]:
    response = ask(service, sql, **more)
    assert response.status_code == status, response.text
    problem: dict[str, object] = response.json()
    return problem


def statements_running(postgres: EmbeddedPostgres) -> int:
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        found = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE usename = %s AND datname = %s AND state = 'active'",
            (READER, DATABASE),
        ).fetchone()
    assert found is not None
    return int(found[0])


def until(claim: object, seconds: float = 5) -> None:
    assert callable(claim)
    deadline = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < deadline
        time.sleep(0.01)
