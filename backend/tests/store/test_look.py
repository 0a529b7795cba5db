"""Reading without a transaction around it."""

import asyncio
from collections.abc import Awaitable, Callable

import psycopg
import pytest
from sqlalchemy import text

from jitterscope.problems import StatementTooSlow
from jitterscope.settings import Settings
from jitterscope.store.database import Database, page_limits


def run(work: Callable[[Database], Awaitable[None]], **settings: object) -> None:
    async def main() -> None:
        used = Settings.model_validate(settings)
        database = Database(used, page_limits(used), connections=1)
        try:
            await work(database)
        finally:
            await database.close()

    asyncio.run(main())


def states(conninfo: str, pid: int) -> list[str]:
    with psycopg.connect(conninfo) as connection:
        found = connection.execute("SELECT state FROM pg_stat_activity WHERE pid = %s", (pid,))
        return [state for (state,) in found]


def test_a_look_leaves_no_transaction_open_between_its_statements(database_url: str) -> None:
    async def work(database: Database) -> None:
        async with database.look() as session:
            pid = await session.scalar(text("SELECT pg_backend_pid()"))
            assert await asyncio.to_thread(states, database_url, pid) == ["idle"]
        # The same connection serves those who change something, who need one.
        async with database.session() as session:
            assert await session.scalar(text("SELECT pg_backend_pid()")) == pid
            assert await asyncio.to_thread(states, database_url, pid) == ["idle in transaction"]

    run(work)


def test_a_look_that_takes_too_long_is_refused(database_url: str) -> None:
    assert database_url

    async def work(database: Database) -> None:
        with pytest.raises(StatementTooSlow):
            async with database.look() as session:
                await session.execute(text("SELECT pg_sleep(5)"))
        async with database.look() as session:
            assert await session.scalar(text("SELECT 1")) == 1

    run(work, page_statement_seconds=0.2)
