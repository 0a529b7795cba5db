"""Looking up traces that are ready: shared by those who ask at once, and never older than the request."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import psycopg
import pytest

from jitterscope.settings import Settings
from jitterscope.store import ready_traces
from jitterscope.store.database import Database, page_limits
from jitterscope.store.load_snapshot import LoadGone, load_snapshot
from jitterscope.store.ready_traces import ReadyTrace, finding_once

ID = "abcdefghijkl"
_Result = TypeVar("_Result")


def change(statement: str) -> None:
    with psycopg.connect(Settings().conninfo, autocommit=True) as connection:
        connection.execute(statement.encode())


@pytest.fixture(autouse=True)
def trace(database_url: str) -> None:
    assert database_url
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO trace (id, sha256, filename, name, status, progress, bytes_done, bytes_total, "
            "size_bytes, attempt, crash_count, missing_count, cpus) "
            "VALUES (%s, repeat('a', 64), 'a.txt', 'a', 'ready', 1, 10, 10, 10, 3, 0, 0, '{0,1}')",
            (ID,),
        )


def run(work: Callable[[Database], Awaitable[_Result]]) -> _Result:
    async def main() -> _Result:
        settings = Settings()
        database = Database(settings, page_limits(settings))
        try:
            return await work(database)
        finally:
            await database.close()

    return asyncio.run(main())


class Statements:
    """Counts the statements, and lets none go on while the gate is shut."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        self.has_begun = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()
        self._query = ready_traces.query
        monkeypatch.setattr(ready_traces, "query", self)

    async def __call__(self, connection: psycopg.AsyncConnection, ids: list[str]) -> ready_traces.Found:
        self.count += 1
        self.has_begun.set()
        found = await self._query(connection, ids)
        await self.gate.wait()
        return found


def test_what_is_ready_is_found_with_its_facts() -> None:
    async def work(database: Database) -> list[ReadyTrace | None]:
        return [await database.ready_trace(trace_id) for trace_id in (ID, "mmmmmmmmmmmm", "'; --")]

    found, unknown, malformed = run(work)
    assert found is not None
    assert (found.id, found.attempt, found.cpus, found.load) == (ID, 3, [0, 1], (found.key, 3))
    assert unknown is None
    assert malformed is None
    change("UPDATE trace SET status = 'failed'")
    assert run(lambda database: database.ready_trace(ID)) is None


def test_many_who_ask_at_once_share_a_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    statements = Statements(monkeypatch)

    async def work(database: Database) -> list[ReadyTrace | None]:
        return await asyncio.gather(*(database.ready_trace(ID) for _ in range(200)))

    assert None not in run(work)
    assert statements.count <= 2


def test_a_crowd_that_comes_one_by_one_shares_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    statements = Statements(monkeypatch)
    monkeypatch.setattr(ready_traces, "_REST_SECONDS", 0.5)

    async def work(database: Database) -> list[ReadyTrace | None]:
        await asyncio.gather(*(database.ready_trace(ID) for _ in range(20)))
        statements.count = 0
        asked = []
        for _ in range(20):
            asked.append(asyncio.create_task(database.ready_trace(ID)))
            await asyncio.sleep(0.005)
        return await asyncio.gather(*asked)

    assert None not in run(work)
    assert statements.count <= 2


def test_one_client_waits_for_no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ready_traces, "_REST_SECONDS", 60)

    async def work(database: Database) -> None:
        async with asyncio.timeout(30):
            for _ in range(5):
                await asyncio.gather(database.ready_trace(ID), database.ready_trace(ID))

    run(work)


def test_nobody_is_told_what_was_true_before_they_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(database: Database) -> tuple[ReadyTrace | None, ReadyTrace | None]:
        statements = Statements(monkeypatch)
        statements.gate.clear()
        before = asyncio.create_task(database.ready_trace(ID))
        await statements.has_begun.wait()
        await asyncio.to_thread(change, "DELETE FROM trace")
        after = asyncio.create_task(database.ready_trace(ID))
        await asyncio.sleep(0.05)
        statements.gate.set()
        return await before, await after

    before, after = run(work)
    assert before is not None
    assert after is None


def test_one_request_looks_once(monkeypatch: pytest.MonkeyPatch) -> None:
    statements = Statements(monkeypatch)

    async def work(database: Database) -> None:
        with finding_once():
            assert await database.ready_trace(ID) is await database.ready_trace(ID)
        await database.ready_trace(ID)

    run(work)
    assert statements.count == 2


def test_a_lost_connection_is_replaced() -> None:
    async def work(database: Database) -> ReadyTrace | None:
        await database.ready_trace(ID)
        await asyncio.to_thread(
            change,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'jitterscope'",
        )
        return await database.ready_trace(ID)

    assert run(work) is not None


def test_nothing_is_read_of_a_load_that_has_gone() -> None:
    async def work(database: Database) -> None:
        trace = await database.ready_trace(ID)
        assert trace is not None
        async with load_snapshot(database, trace.load) as snapshot:
            await asyncio.to_thread(change, "UPDATE trace SET attempt = 4")
            await snapshot.connection()

    with pytest.raises(LoadGone):
        run(work)


def test_what_is_read_belongs_together() -> None:
    async def work(database: Database) -> int:
        trace = await database.ready_trace(ID)
        assert trace is not None
        async with load_snapshot(database, trace.load) as snapshot:
            await snapshot.connection()
            await asyncio.to_thread(change, "DELETE FROM trace")
            connection = await snapshot.connection()
            return (await connection.execute("SELECT FROM trace")).rowcount

    assert run(work) == 1
