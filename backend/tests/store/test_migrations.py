"""The schema comes up from nothing, and stays when it is asked for twice, or twice at once."""

import json
import subprocess
import sys
from collections.abc import Callable

import psycopg
import pytest

from jitterscope import _ftrace
from jitterscope.embedded import EmbeddedPostgres
from jitterscope.problems import SchemaTooOld
from jitterscope.store.migrate import upgrade_to_head

Upgraded = Callable[[str], str]


@pytest.fixture
def upgraded(postgres: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch) -> Upgraded:
    """Makes a database with the newest schema, which `upgrade_to_head` upgrades from then on; its address."""

    def make(name: str) -> str:
        url = postgres.ensure_database(name)
        monkeypatch.setenv("DATABASE_URL", url)
        upgrade_to_head()
        return url

    return make


def relations(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace "
            "UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace "
            "UNION ALL SELECT typname FROM pg_type WHERE typnamespace = 'public'::regnamespace"
        ).fetchall()
    return sorted(str(name) for (name,) in rows)


def test_the_schema_stays_when_it_is_asked_for_twice(upgraded: Upgraded) -> None:
    url = upgraded("asked_twice")
    first = relations(url)
    upgrade_to_head()
    assert relations(url) == first


# Two samples, two events, a running task, and three calls of which the last ended far behind the others.
BLOCKS = """
INSERT INTO trace (id, sha256, filename, name, status, progress, bytes_done, bytes_total, attempt,
                   crash_count, size_bytes, buffers)
VALUES ('t', 's', 'f', 'n', 'ready', 1, 1, 1, 1, 0, 1, '[{"name": null}, {"name": "rt"}]');
INSERT INTO latency_kind SELECT key, 3, 'wakeup', 2, 1, 3000000000, 3000000001, '{0}' FROM trace;
INSERT INTO task SELECT key, 7, 42, NULL, NULL, 'rt', 2 FROM trace;
INSERT INTO event_type SELECT key, 0, 'print', 'print', NULL, 2 FROM trace;
INSERT INTO event_block
SELECT key, 0, 100, 105, 2, 0, '{0,5}', '{0,1}', '{0,1}', '{1,2}', '{7,7}', '{}', '{0,0}', '{a,b}', '{0,1}'
FROM trace;
INSERT INTO sample_block
SELECT key, 3, 0, 100, 4000000000, 2, 3000000000, '{0,5}', '{1,2147483647}', '{0,852516353}', '{NULL,9}',
       '{1,0}', '{1,0}', '{0,NULL}', '{7,7}', '{}', '{2,1}', '{}', '{}', '{1,4}' FROM trace;
INSERT INTO slice_block
SELECT key, 5, 0, 100, 400, 3, 90, '{0,5,1}', '{90,7,8}', '{}', '{}', '{}', '{0,2}', '{0,8}', '{NULL,0,0}',
       '{0,0,0}', '{1}', '{7}', '{NULL}', '{0}', '{0}', '{}', '{}' FROM trace;
INSERT INTO slice_block
SELECT key, 1, 0, 100, 400, 1, 90, '{0}', '{90}', '{}', '{}', '{}', '{}', '{}', '{}', '{0}',
       '{1}', '{7}', '{NULL}', '{0}', '{0}', '{}', '{}' FROM trace
"""
ROWS: dict[str, list[tuple[object, ...]]] = {
    "SELECT kind, t_ns, duration_ns, self_ns, cpu, pid, parent, id FROM slice ORDER BY kind DESC, t_ns": [
        ("sched", 100, 90, 90, 1, 42, None, None),
        ("call", 100, 90, 90, 1, 42, None, 0),
        ("call", 105, 7, 7, 1, 42, 0, 1),
        ("call", 106, 8, 8, 1, 42, 0, 9),
    ],
    "SELECT seq, t_ns, cpu, comm, event, args, buffer FROM event ORDER BY seq": [
        (0, 100, 1, "rt", "print", "a", None),
        (1, 105, 2, "rt", "print", "b", "rt"),
    ],
    "SELECT kind, t_ns, duration_ns, cpu, start_cpu, comm, flags, sleep_ns, weight "
    "FROM latency ORDER BY t_ns": [
        ("wakeup", 100, 1, 0, 0, "rt", 1, None, 1),
        ("wakeup", 105, 3_000_000_000, 1, 0, "rt", 2, 9, 4),
    ],
}


def test_the_views_show_what_blocks_hold(upgraded: Upgraded) -> None:
    url = upgraded("views")
    with psycopg.connect(url) as connection:
        connection.execute(BLOCKS)
        assert {query: connection.execute(query).fetchall() for query in ROWS} == ROWS


def test_an_early_schema_is_refused_and_left_as_it_is(upgraded: Upgraded) -> None:
    url = upgraded("early")
    before = relations(url)
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0008_buffers'")
    with pytest.raises(SchemaTooOld, match="'0008_buffers' of an early development version"):
        upgrade_to_head()
    assert relations(url) == before
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0008_buffers",)


OLDER_TRACE = """
ALTER TABLE trace ADD missing jsonb;
DROP TABLE trace_missing;
UPDATE alembic_version SET version_num = '0019_read_views';
INSERT INTO trace (id, sha256, filename, name, status, progress, bytes_done, bytes_total, attempt,
                   crash_count, size_bytes, missing)
VALUES ('t', 's', 'f', 'n', 'ready', 1, 1, 1, 1, 0, 1, '{"sched": ["sched_switch"]}'),
       ('u', 'u', 'f', 'n', 'failed', 1, 1, 1, 1, 0, 1, NULL)
"""
MISSING = "SELECT id, missing FROM trace LEFT JOIN trace_missing ON trace_key = key ORDER BY id"


def test_what_older_traces_lack_stays_known(upgraded: Upgraded) -> None:
    url = upgraded("older_trace")
    with psycopg.connect(url) as connection:
        connection.execute(OLDER_TRACE)
    upgrade_to_head()
    with psycopg.connect(url) as connection:
        assert connection.execute(MISSING).fetchall() == [("t", {"sched": ["sched_switch"]}), ("u", None)]


OLDER_EXPLANATION = """
ALTER TABLE latency_explanation DROP COLUMN ruler;
UPDATE alembic_version SET version_num = '0021_worst_text';
INSERT INTO latency_explanation VALUES (1, 3, 0, 'wakeup-7@0', 'Behind hog-7')
"""


def test_sentences_of_before_have_no_ruler(upgraded: Upgraded) -> None:
    url = upgraded("older_explanation")
    with psycopg.connect(url) as connection:
        connection.execute(OLDER_EXPLANATION)
    upgrade_to_head()
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT headline, ruler FROM latency_explanation").fetchall()
    assert found == [("Behind hog-7", None)]


def test_two_at_once_wait_for_each_other(postgres: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch) -> None:
    url = postgres.ensure_database("two_at_once")
    monkeypatch.setenv("DATABASE_URL", url)
    program = "from jitterscope.store.migrate import upgrade_to_head; upgrade_to_head()"
    processes = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(3)]
    assert [process.wait(timeout=60) for process in processes] == [0, 0, 0]
    assert "slice_block" in relations(url)


def test_a_kind_that_is_new_in_the_core_needs_no_migration(upgraded: Upgraded) -> None:
    url = upgraded("new_kind")
    with psycopg.connect(url) as connection:
        connection.execute("DELETE FROM slice_kind WHERE name = 'noise'")
    upgrade_to_head()
    with psycopg.connect(url) as connection:
        stored = connection.execute("SELECT kind, name FROM slice_kind ORDER BY kind").fetchall()
    kinds = json.loads(_ftrace.catalog())["slice_kinds"]
    assert stored == sorted((kind["code"], kind["name"]) for kind in kinds)


def test_a_schema_whose_view_names_the_kinds_itself_gets_their_table(upgraded: Upgraded) -> None:
    url = upgraded("kinds_in_view")
    newest = relations(url)
    with psycopg.connect(url) as connection:
        connection.execute("DROP VIEW slice CASCADE")
        connection.execute("DROP TABLE slice_kind")
        connection.execute("UPDATE alembic_version SET version_num = '0009_tombstones'")
    upgrade_to_head()
    assert relations(url) == newest
