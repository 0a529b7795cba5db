"""The schema comes up from nothing, down to nothing, and stays when asked twice or twice at once."""

import json
import subprocess
import sys

import psycopg
import pytest
from alembic import command

from jitterscope import _ftrace
from jitterscope.embedded import EmbeddedPostgres
from jitterscope.store.migrate import alembic_config, upgrade_to_head


def relations(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace "
            "UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace "
            "UNION ALL SELECT typname FROM pg_type WHERE typnamespace = 'public'::regnamespace"
        ).fetchall()
    return sorted(str(name) for (name,) in rows)


def test_up_and_down_and_up_again(postgres: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch) -> None:
    url = postgres.ensure_database("up_and_down")
    monkeypatch.setenv("DATABASE_URL", url)
    upgrade_to_head()
    first = relations(url)
    upgrade_to_head()
    command.downgrade(alembic_config(), "base")
    assert [name for name in relations(url) if "alembic" not in name] == []
    upgrade_to_head()
    assert relations(url) == first


# Two samples, two events, and three calls, of which the last ended far behind the others, as revision 0006
# held them.
BLOCKS_OF_0006 = """
INSERT INTO trace (id, sha256, filename, name, status, progress, bytes_done, bytes_total, attempt,
                   crash_count, size_bytes)
VALUES ('t', 's', 'f', 'n', 'ready', 1, 1, 1, 1, 0, 1);
INSERT INTO latency_kind SELECT key, 3, 'wakeup', 2, 1, 3000000000, 3000000001, '{0}' FROM trace;
INSERT INTO task SELECT key, 7, 42, NULL, NULL, 'rt', 2 FROM trace;
INSERT INTO event_type SELECT key, 0, 'print', 'print', NULL, 2 FROM trace;
INSERT INTO event_block
SELECT key, 0, 100, 105, 2, 0, '{0,5}', '{0,0}', '{0,1}', '{1}', '{7}', '{}', '{0,0}', '{a,b}' FROM trace;
INSERT INTO sample_block
SELECT key, 3, 0, 100, 4000000000, 2, 3000000000, '{0,5}', '{1,3000000000}', '{0,1}', '{NULL,0}', '{7,7}',
       '{}', '{0,1}', '{NULL,9}', '{}', '{NULL,2}' FROM trace;
INSERT INTO slice_block
SELECT key, 5, 0, 100, 400, 3, 90, '{0,5,1}', '{90,7,8}', '{}', '{}', '{}', '{0,1,9}', '{NULL,0,0}',
       '{0,0,0}', '{1}', '{7}', '{NULL}', '{0}', '{0}', '{}', '{}' FROM trace;
INSERT INTO slice_block
SELECT key, 1, 0, 100, 400, 1, 90, '{0}', '{90}', '{}', '{}', '{}', '{}', '{}', '{0}',
       '{1}', '{7}', '{NULL}', '{0}', '{0}', '{}', '{}' FROM trace
"""


def test_blocks_are_kept_when_their_layout_changes(
    postgres: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres.ensure_database("kept_blocks")
    monkeypatch.setenv("DATABASE_URL", url)
    command.upgrade(alembic_config(), "0006_event_fields")
    with psycopg.connect(url) as connection:
        connection.execute(BLOCKS_OF_0006)
    before = records(url)
    assert [row[-1] for row in before["slice"]] == [None, 0, 1, 9]
    upgrade_to_head()
    assert records(url) == before
    command.downgrade(alembic_config(), "0006_event_fields")
    assert records(url) == before


def records(url: str) -> dict[str, list[tuple[object, ...]]]:
    """The rows of the views that people use."""
    queries = {
        "slice": "SELECT kind, t_ns, duration_ns, cpu, pid, parent, id FROM slice ORDER BY kind DESC, t_ns",
        "event": "SELECT seq, t_ns, cpu, comm, event, args FROM event ORDER BY seq",
        "latency": "SELECT * FROM latency ORDER BY t_ns",
    }
    with psycopg.connect(url) as connection:
        return {view: connection.execute(query).fetchall() for view, query in queries.items()}


def test_two_at_once_wait_for_each_other(postgres: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch) -> None:
    url = postgres.ensure_database("two_at_once")
    monkeypatch.setenv("DATABASE_URL", url)
    program = "from jitterscope.store.migrate import upgrade_to_head; upgrade_to_head()"
    processes = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(3)]
    assert [process.wait(timeout=60) for process in processes] == [0, 0, 0]
    assert "slice_block" in relations(url)


def test_a_kind_that_is_new_in_the_core_needs_no_migration(
    postgres: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres.ensure_database("new_kind")
    monkeypatch.setenv("DATABASE_URL", url)
    upgrade_to_head()
    with psycopg.connect(url) as connection:
        connection.execute("DELETE FROM slice_kind WHERE name = 'noise'")
    upgrade_to_head()
    with psycopg.connect(url) as connection:
        stored = connection.execute("SELECT kind, name FROM slice_kind ORDER BY kind").fetchall()
    kinds = json.loads(_ftrace.catalog())["slice_kinds"]
    assert stored == sorted((kind["code"], kind["name"]) for kind in kinds)
