"""The catalog of a hundred thousand traces is searched and sorted by indexes."""

import asyncio
import random

import psycopg
import pytest
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

from jitterscope.embedded import EmbeddedPostgres
from jitterscope.settings import Settings
from jitterscope.store import catalog_page as catalog
from jitterscope.store.catalog_page import SORT_NAMES, CatalogQuery, catalog_statement
from jitterscope.store.database import Database, page_limits
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
COLUMNS = ("search_text", "worst_duration_ns", "worst_text", "label_text")


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


async def walked(database: Database, sort: str, is_descending: bool, selection: Selection) -> list[str]:
    """The ids of all that is selected, from one page to the next."""
    ids: list[str] = []
    after = None
    while True:
        async with database.session() as session:
            query = CatalogQuery(sort, is_descending, 7, selection, after)
            page, after = await catalog.catalog_page(session, query)
            ids += [trace.id for trace in await catalog.rows_of(session, [one.key for one in page])]
        if after is None:
            return ids


async def compare_walks(traces: dict[str, tuple[str, str]]) -> None:
    """`traces` are names and kernels by id; each has the label `rack` of its first letter."""
    places = {"name": lambda one: (traces[one][0], one), "kernel": lambda one: (traces[one][1], one)}
    database = Database(Settings(), page_limits(Settings()))
    try:
        for sort, is_descending in [("name", True), ("name", False), ("kernel", True), ("created_at", False)]:
            for search, label in [("a", None), ("b 2", None), ("", "c"), ("1", "a"), ("zz", None)]:
                labels = [("rack", label)] if label else []
                found = await walked(database, sort, is_descending, Selection(labels, search))
                wanted = [
                    trace_id
                    for trace_id, (name, kernel) in traces.items()
                    if all(word in f"{name}\n{trace_id}\n{kernel}\nrack" for word in search.split())
                    and (label is None or name.startswith(label))
                ]
                wanted.sort(key=places.get(sort, lambda one: ("", one)), reverse=is_descending)
                assert found == wanted, (sort, is_descending, search, label)
    finally:
        await database.close()


def test_a_search_finds_the_same_near_the_beginning_and_behind(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Some pages are full of what is near, others go on behind it.
    monkeypatch.setattr(catalog, "_NEAR_COUNT", 30)
    choose = random.Random(5)  # noqa: S311 (the same traces in every run)
    traces = {
        f"id{number:03}": (f"{choose.choice('aabc')}-{number % 13}", f"6.{choose.randrange(3)}")
        for number in range(200)
    }
    with psycopg.connect(url, autocommit=True) as connection:
        for trace_id, (name, kernel) in traces.items():
            connection.execute(
                "INSERT INTO trace (id, sha256, filename, name, kernel, status, progress, bytes_done, "
                "bytes_total, attempt, crash_count, size_bytes, label_text) "
                "VALUES (%s, %s, '', %s, %s, 'ready', 1, 1, 1, 1, 0, 1, 'rack')",
                (trace_id, trace_id, name, kernel),
            )
        connection.execute("INSERT INTO label SELECT key, 'rack', left(name, 1) FROM trace")
    asyncio.run(compare_walks(traces))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DELETE FROM trace")


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
        connection.execute(
            "INSERT INTO latency_explanation SELECT key, 3, 0, 'wakeup-7@0', 'Behind HOG-7' FROM trace"
        )
        for column in COLUMNS:
            connection.execute(f"ALTER TABLE trace DROP COLUMN {column}")
        connection.execute("UPDATE alembic_version SET version_num = '0011_latency_tasks'")
    upgrade_to_head()
    with psycopg.connect(url) as connection:
        found = connection.execute(FILLED).fetchall()
        indexes = connection.execute("SELECT indexname FROM pg_indexes WHERE tablename = 'trace'").fetchall()
        connection.execute("DELETE FROM trace")
    one, other = found
    assert one == ("Board:RPi\nrun:id1", 77, "nightly-1\nf\nid1\n\n\nboard:rpi\nrun:id1\nbehind hog-7")
    assert other[:2] == ("Board:RPi\nrun:id2", -1)
    assert other[2].endswith("run:id2\n")
    assert ("trace_search",) in indexes
