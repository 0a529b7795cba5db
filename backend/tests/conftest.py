"""Servers of PostgreSQL, one of each version for the whole run, and migrated databases on them."""

import functools
import gc
import itertools
from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql

from jitterscope.embedded import EmbeddedPostgres
from jitterscope.embedded.binaries import OLDEST_MAJOR
from jitterscope.embedded.roles import PRODUCT
from jitterscope.store.migrate import upgrade_to_head

TEMPLATE = "migrated"
_numbers = itertools.count()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="rewrite the golden summaries of sample_traces/")


def pytest_collection_finish() -> None:
    """What was collected stays: looking through it for garbage takes a fifth of the time of tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


@pytest.fixture(scope="session")
def newest_postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedPostgres]:
    """A running server of the version that comes with the program."""
    with EmbeddedPostgres(tmp_path_factory.mktemp("database") / "postgres") as server:
        yield server


@pytest.fixture(scope="session")
def oldest_postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedPostgres]:
    """A running server of the oldest supported version. Where there is none the test fails, not passes."""
    with EmbeddedPostgres(tmp_path_factory.mktemp("oldest") / "postgres", OLDEST_MAJOR) as server:
        yield server


@pytest.fixture(scope="session")
def postgres(newest_postgres: EmbeddedPostgres) -> EmbeddedPostgres:
    """The running server that a test uses which does not care for versions."""
    return newest_postgres


@functools.cache
def migrated_template(postgres: EmbeddedPostgres) -> str:
    """The name of a database of this server that all migrations have run on, to copy from."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", postgres.ensure_database(TEMPLATE))
        upgrade_to_head()
    return TEMPLATE


@pytest.fixture
def database_url(postgres: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of an empty, migrated database of this test alone; `DATABASE_URL` holds it, too."""
    name = f"test_{next(_numbers)}"
    copy = sql.SQL("CREATE DATABASE {} TEMPLATE {} OWNER {}").format(
        sql.Identifier(name), sql.Identifier(migrated_template(postgres)), sql.Identifier(PRODUCT)
    )
    drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute(copy)
        url = postgres.url(name, PRODUCT)
        monkeypatch.setenv("DATABASE_URL", url)
        yield url
        connection.execute(drop)
