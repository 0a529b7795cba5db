"""Connections of the pool that are tried before their use."""

import asyncio
from collections.abc import Awaitable, Callable

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

from jitterscope.settings import Settings
from jitterscope.store import pool_trial
from jitterscope.store.database import Database, page_limits

END_OTHERS = """
SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


@pytest.fixture
def pings(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """One entry for each ping."""
    ping: Callable[[PGDialect_psycopg, object], bool] = PGDialect_psycopg.do_ping
    made: list[object] = []

    def counted(dialect: PGDialect_psycopg, connection: object) -> bool:
        made.append(connection)
        return ping(dialect, connection)

    monkeypatch.setattr(PGDialect_psycopg, "do_ping", counted)
    return made


def run(work: Callable[[Database], Awaitable[None]]) -> None:
    async def main() -> None:
        settings = Settings()
        database = Database(settings, page_limits(settings), connections=1)
        try:
            await work(database)
        finally:
            await database.close()

    asyncio.run(main())


async def backend_pid(database: Database) -> int:
    async with database.look() as session:
        return int(await session.scalar(text("SELECT pg_backend_pid()")) or 0)


def end_others(conninfo: str) -> None:
    with psycopg.connect(conninfo) as connection:
        connection.execute(END_OTHERS)


def test_a_connection_in_use_is_not_pinged(database_url: str, pings: list[object]) -> None:
    assert database_url

    async def work(database: Database) -> None:
        first = await backend_pid(database)
        pings.clear()
        assert [await backend_pid(database) for _ in range(5)] == [first] * 5
        assert pings == []

    run(work)


def test_a_connection_that_was_idle_for_long_is_pinged(
    database_url: str, pings: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert database_url
    monkeypatch.setattr(pool_trial, "_IDLE_SECONDS", 0.0)

    async def work(database: Database) -> None:
        first = await backend_pid(database)
        pings.clear()
        assert await backend_pid(database) == first
        assert len(pings) == 1

    run(work)


def test_a_connection_that_the_database_closed_is_replaced(database_url: str) -> None:
    async def work(database: Database) -> None:
        first = await backend_pid(database)
        await asyncio.to_thread(end_others, database_url)
        assert await backend_pid(database) != first

    run(work)
