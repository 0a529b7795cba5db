"""The schema comes up from nothing, down to nothing, and stays when asked twice or twice at once."""

import subprocess
import sys

import psycopg
import pytest
from alembic import command

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


def test_two_at_once_wait_for_each_other(postgres: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch) -> None:
    url = postgres.ensure_database("two_at_once")
    monkeypatch.setenv("DATABASE_URL", url)
    program = "from jitterscope.store.migrate import upgrade_to_head; upgrade_to_head()"
    processes = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(3)]
    assert [process.wait(timeout=60) for process in processes] == [0, 0, 0]
    assert "slice_block" in relations(url)
