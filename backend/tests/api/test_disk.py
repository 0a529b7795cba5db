"""A disk that fills up: what is refused says so, and what was there before goes on."""

import asyncio
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr
from sqlalchemy import text

from jitterscope.problems import DatabaseUnavailable, DiskAlmostFull, StatementTooSlow
from jitterscope.settings import Settings
from jitterscope.store.database import Database, page_limits
from tests.api.service import Service, ServiceMaker, busy_lines, running_worker, trace_file


def test_a_load_stops_before_the_space_that_is_kept_free(
    make_service: ServiceMaker,
) -> None:
    service = make_service()
    trace_id = service.upload(trace_file() + busy_lines(3000)).json()["id"]
    full = service.settings.model_copy(update={"min_free_bytes": 1 << 60, "min_free_share_pct": 100})
    with running_worker(full):
        trace = service.wait(trace_id)
    error = trace["error"]
    assert isinstance(error, dict)
    assert (trace["status"], error["code"]) == ("failed", "disk_full")
    assert "JITTERSCOPE_MIN_FREE_BYTES" in error["sentence"]
    assert "Delete traces or make room" in error["remedy"]
    assert service.rows("SELECT count(*) FROM event_block") == [(0,)]
    assert service.client.get("/api/v1/traces").status_code == 200

    # There is room again.
    with running_worker(service.settings):
        assert service.client.post(f"/api/v1/traces/{trace_id}/reload").status_code == 202
        assert service.wait(trace_id)["status"] == "ready"


@pytest.mark.parametrize(
    ("min_free_bytes", "sentence"),
    [(0, "does not answer; try again"), (1 << 60, r"the disk of the data folder has only \d+ bytes free")],
)
def test_a_database_that_does_not_answer_on_a_full_disk_names_the_disk(
    tmp_path: Path, min_free_bytes: int, sentence: str
) -> None:
    settings = Settings(
        data=tmp_path,
        database_url=SecretStr(f"postgresql://nobody@/none?host={tmp_path}"),
        min_free_bytes=min_free_bytes,
        min_free_share_pct=100,
    )

    async def look() -> None:
        database = Database(settings, page_limits(settings))
        try:
            async with database.session() as session:
                await session.execute(text("SELECT 1"))
        finally:
            await database.close()

    with pytest.raises(DatabaseUnavailable, match=sentence):
        asyncio.run(look())


@pytest.mark.parametrize(
    ("sqlstate", "refusal", "sentence"),
    [
        ("53100", DiskAlmostFull, "The database's disk is full; delete traces"),
        ("53400", StatementTooSlow, "temp_file_limit"),
    ],
)
def test_what_postgresql_has_no_room_for_is_said_as_such(
    service: Service, sqlstate: str, refusal: type[Exception], sentence: str
) -> None:
    database = Database(service.settings, page_limits(service.settings))
    raising = f"DO $$ BEGIN RAISE 'could not extend file' USING ERRCODE = '{sqlstate}'; END $$"

    async def run() -> None:
        async with database.session() as session:
            await session.execute(text(raising))

    async def run_and_close() -> None:
        try:
            await run()
        finally:
            await database.close()

    with pytest.raises(refusal, match=sentence):
        asyncio.run(run_and_close())


def test_a_statement_has_little_room_for_temporary_files(service: Service) -> None:
    with psycopg.connect(service.settings.conninfo) as connection:
        connection.execute("SET work_mem = '64kB'")
        row = connection.execute("SHOW temp_file_limit").fetchone()
    assert row is not None
    assert row[0] != "-1"
