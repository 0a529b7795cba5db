"""The oldest and the newest PostgreSQL hold the same schema and give the same answers."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from jitterscope.embedded import EmbeddedPostgres
from jitterscope.embedded.binaries import OLDEST_MAJOR
from jitterscope.run.samples import SAMPLES
from jitterscope.store.ddl import without_storage_clauses
from jitterscope.store.migrate import upgrade_to_head
from tests.api.service import Service, client_of, running_worker, serving, settings_for
from tests.goldens.summary import summary_lines

# One with every kind of record but calls, and one with calls.
LATENCIES = "cyclictest-break-6.12-rt.txt"
CALLS = "timer-interrupt-normal.txt"
QUESTIONS = {
    LATENCIES: (
        "timeline?width=800",
        "events?limit=50",
        "events?cpu=1&limit=20",
        "event-types",
        "event-fields",
        "latencies",
        "latencies/kinds",
        "latencies/stats?kind=wakeup",
        "latencies/series?kind=wakeup",
        "interference",
        "warnings",
    ),
    CALLS: ("timeline?width=800", "calls?width=800", "calltree", "functions", "events?limit=50"),
}

COLUMNS = """
SELECT attrelid::regclass::text, attname, atttypid::regtype::text, attstorage, attnotnull,
       pg_get_expr(adbin, adrelid)
FROM pg_attribute
JOIN pg_class ON pg_class.oid = attrelid
LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v') AND attnum > 0 AND NOT attisdropped
ORDER BY 1, attnum
"""


def columns(postgres: EmbeddedPostgres) -> list[tuple[object, ...]]:
    url = postgres.ensure_database("columns")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", url)
        upgrade_to_head()
    with psycopg.connect(url) as connection:
        return connection.execute(COLUMNS).fetchall()


@contextlib.contextmanager
def service_on(postgres: EmbeddedPostgres, folder: Path) -> Iterator[Service]:
    url = postgres.ensure_database("answers")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", url)
        upgrade_to_head()
    settings = settings_for(folder, url, {})
    with serving(settings) as base_url, client_of(base_url) as client, running_worker(settings):
        yield Service(settings, client, base_url)


def answers(service: Service, sample: str) -> dict[str, str]:
    """What the service says of a sample, by the question; also what is in the views for people's SQL."""
    trace_id = service.ready((SAMPLES / sample).read_bytes(), sample)
    found = {}
    for question in QUESTIONS[sample]:
        response = service.client.get(f"/api/v1/traces/{trace_id}/{question}")
        assert response.status_code == 200, f"{question}: {response.text}"
        found[question] = response.text.replace(service.base_url, "")
    with psycopg.connect(service.settings.conninfo) as connection:
        found["SQL"] = "\n".join(summary_lines(service.wait(trace_id), connection))
    return found


def test_the_servers_are_of_different_versions(
    oldest_postgres: EmbeddedPostgres, newest_postgres: EmbeddedPostgres
) -> None:
    majors = []
    for server in (oldest_postgres, newest_postgres):
        with psycopg.connect(server.ensure_database("version")) as connection:
            majors.append(connection.info.server_version // 10_000)
    assert majors[0] == OLDEST_MAJOR < majors[1]


def test_the_tables_are_the_same(
    oldest_postgres: EmbeddedPostgres, newest_postgres: EmbeddedPostgres
) -> None:
    found = columns(oldest_postgres)
    assert ("event_block", "dt", "integer[]", "e", True, None) in found
    assert found == columns(newest_postgres)


def test_the_answers_are_the_same(
    oldest_postgres: EmbeddedPostgres, newest_postgres: EmbeddedPostgres, tmp_path: Path
) -> None:
    with (
        service_on(oldest_postgres, tmp_path / "oldest") as oldest,
        service_on(newest_postgres, tmp_path / "newest") as newest,
    ):
        for sample in QUESTIONS:
            assert answers(oldest, sample) == answers(newest, sample)


def test_a_storage_is_said_in_a_statement_of_its_own() -> None:
    assert without_storage_clauses(
        "CREATE TABLE t (\n    a int[] STORAGE EXTERNAL NOT NULL,\n    b int\n)"
    ) == [
        "CREATE TABLE t (\n    a int[] NOT NULL,\n    b int\n)",
        "ALTER TABLE t ALTER COLUMN a SET STORAGE EXTERNAL",
    ]
    assert without_storage_clauses("CREATE TABLE IF NOT EXISTS t (a int[] STORAGE EXTERNAL)") == [
        "CREATE TABLE IF NOT EXISTS t (a int[])",
        "ALTER TABLE t ALTER COLUMN a SET STORAGE EXTERNAL",
    ]
    assert without_storage_clauses("DROP VIEW v") == ["DROP VIEW v"]
    with pytest.raises(ValueError, match="not a statement that makes columns"):
        without_storage_clauses("SELECT 'a text STORAGE MAIN'")
