"""The catalog of a hundred thousand traces is searched and sorted by indexes."""

import psycopg
import pytest
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

from jitterscope.embedded import EmbeddedPostgres
from jitterscope.store.catalog_page import SORT_NAMES, CatalogQuery, catalog_statement
from jitterscope.store.migrate import upgrade_to_head
from jitterscope.store.selection import Selection

TRACES = """
INSERT INTO trace (id, sha256, filename, name, status, progress, bytes_done, bytes_total, attempt,
                   crash_count, size_bytes, label_text)
SELECT 'id' || i, 's' || i, 'f', 'nightly-' || i, 'ready', 1, 1, 1, 1, 0, i, 'board:rpi' || i
FROM generate_series(1, 2000) i
"""
FILLED = "SELECT label_text, worst_duration_ns, search_text FROM trace ORDER BY id"
LITERAL = {"literal_binds": True}
COLUMNS = ("search_text", "worst_duration_ns", "label_text")


@pytest.fixture
def url(postgres: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch) -> str:
    url = postgres.ensure_database("catalog_page")
    monkeypatch.setenv("DATABASE_URL", url)
    upgrade_to_head()
    return url


def plan(connection: psycopg.Connection, query: CatalogQuery) -> str:
    dialect = PGDialect_psycopg()  # type: ignore[no-untyped-call]
    compiled = catalog_statement(query).compile(dialect=dialect, compile_kwargs=LITERAL)
    rows = connection.execute(f"EXPLAIN {compiled}".encode()).fetchall()
    return "\n".join(str(line) for (line,) in rows)


def test_pages_come_from_indexes(url: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(TRACES)
        connection.execute("ANALYZE trace")
        connection.execute("SET enable_seqscan = off")
        for sort in SORT_NAMES:
            for is_descending in (True, False):
                found = plan(connection, CatalogQuery(sort, is_descending))
                assert "Index Scan" in found, found
                assert "Sort" not in found, found
        connection.execute("SET enable_indexscan = off")
        assert "trace_search" in plan(connection, CatalogQuery(selection=Selection(search="rpi1234")))
        connection.rollback()


def test_traces_of_before_are_found_by_their_labels_and_sorted_by_their_worst_case(url: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(TRACES.replace("2000", "2"))
        connection.execute("INSERT INTO label SELECT key, 'run', id FROM trace")
        connection.execute("INSERT INTO label SELECT key, 'Board', 'RPi' FROM trace")
        connection.execute(
            "INSERT INTO latency_kind SELECT key, 3, 'wakeup', 1, 1, 1, 1, '{0}' FROM trace WHERE id = 'id1'"
        )
        connection.execute(
            "INSERT INTO latency_case (trace_key, kind, rank, start_ns, duration_ns, cpu, flags, weight) "
            "SELECT key, 3, 0, 0, 77, 0, 0, 1 FROM trace WHERE id = 'id1'"
        )
        for column in COLUMNS:
            connection.execute(f"ALTER TABLE trace DROP COLUMN {column}")
        connection.execute("UPDATE alembic_version SET version_num = '0011_latency_tasks'")
    upgrade_to_head()
    with psycopg.connect(url) as connection:
        found = connection.execute(FILLED).fetchall()
        connection.execute("DELETE FROM trace")
    one, other = found
    assert one == ("Board:RPi\nrun:id1", 77, "nightly-1\nf\nid1\n\n\nboard:rpi\nrun:id1")
    assert other[:2] == ("Board:RPi\nrun:id2", -1)
