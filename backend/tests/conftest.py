"""One PostgreSQL for the whole run, made by the supervisor and the migrations; one database for each test."""

import itertools
from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql

from jitterscope.embedded import EmbeddedPostgres
from jitterscope.store.migrate import upgrade_to_head

TEMPLATE = "migrated"
_numbers = itertools.count()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="rewrite the golden summaries of sample_traces/")


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedPostgres]:
    """A running server with nothing in it."""
    with EmbeddedPostgres(tmp_path_factory.mktemp("database") / "postgres") as server:
        yield server


@pytest.fixture(scope="session")
def migrated_template(postgres: EmbeddedPostgres) -> str:
    """The name of a database that all migrations have run on, to copy from."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", postgres.ensure_database(TEMPLATE))
        upgrade_to_head()
    return TEMPLATE


@pytest.fixture
def database_url(
    postgres: EmbeddedPostgres, migrated_template: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """The address of an empty, migrated database of this test alone; `DATABASE_URL` holds it, too."""
    name = f"test_{next(_numbers)}"
    copy = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
        sql.Identifier(name), sql.Identifier(migrated_template)
    )
    drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute(copy)
        monkeypatch.setenv("DATABASE_URL", postgres.url(name))
        yield postgres.url(name)
        connection.execute(drop)
