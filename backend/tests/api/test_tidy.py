"""What the upkeep of the store removes, and when it refuses to."""

import asyncio
import os
import subprocess
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
import structlog
from structlog.testing import LogCapture

from jitterscope.ingest import adopt, upkeep
from jitterscope.ingest.adopt import Adoption
from jitterscope.ingest.upkeep import Upkeep
from jitterscope.store.blobs import BlobStore
from jitterscope.store.database import WORKER_LIMITS, Database
from jitterscope.store.inventory import stored_hashes
from tests.api.service import Service, trace_file

Work = Callable[[Upkeep, set[str]], Awaitable[None]]
Check = Callable[[Service, Work], list[str]]


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch) -> Check:
    """Does some work on what is stored, and returns the events that were logged meanwhile."""
    log = LogCapture()
    for module in (adopt, upkeep):
        monkeypatch.setattr(module, "_log", structlog.wrap_logger(None, processors=[log]))

    def events_of(service: Service, work: Work) -> list[str]:
        log.entries.clear()
        do(service, work)
        return [entry["event"] for entry in log.entries]

    return events_of


def do(service: Service, work: Work) -> None:
    async def run() -> None:
        database, blobs = Database(service.settings, WORKER_LIMITS), BlobStore(service.settings)
        upkeep = Upkeep(service.settings, database, blobs, Adoption(database, blobs))
        await work(upkeep, await stored_hashes(blobs))
        await database.close()

    asyncio.run(run())


def fill(service: Service, count: int) -> list[str]:
    return [service.upload(trace_file(number)).json()["id"] for number in range(count)]


def delete_but_keep_files(service: Service, ids: list[str]) -> None:
    """As a crash between the deletion of rows and files leaves it."""
    contents = {path: path.read_bytes() for path in service.stored_files()}
    for trace_id in ids:
        assert service.client.delete(f"/api/v1/traces/{trace_id}").status_code == 204
    for path, content in contents.items():
        path.write_bytes(content)


async def remove_at_once(upkeep: Upkeep, stored: set[str]) -> None:
    await upkeep.remove_deleted(stored, 0)


async def run_all(upkeep: Upkeep, _: set[str]) -> None:
    await upkeep.run()


def test_files_of_deleted_traces_go_once_they_are_old(check: Check, service: Service) -> None:
    kept, *deleted = fill(service, 4)
    delete_but_keep_files(service, deleted)
    assert check(service, run_all) == []
    service.rows("UPDATE tombstone SET deleted_at = now() - interval '2 days' RETURNING 1")
    # A file that was put back since is somebody's wish, and gets a day of its own.
    assert check(service, run_all) == []
    assert len(service.stored_recordings()) == 4
    assert check(service, remove_at_once) == ["deleted_file_removed"] * 3
    # The description has gone with its file.
    assert len(service.stored_files()) == 2
    assert service.client.get(f"/api/v1/traces/{kept}/raw").content == trace_file(0)


def test_nothing_is_removed_that_this_database_did_not_delete(check: Check, service: Service) -> None:
    fill(service, 3)
    service.rows("DELETE FROM trace RETURNING 1")
    assert check(service, remove_at_once) == []
    assert len(service.stored_recordings()) == 3
    assert check(service, run_all) == ["file_adopted"] * 3


def test_a_tidy_that_would_remove_much_stops_and_says_so(check: Check, service: Service) -> None:
    delete_but_keep_files(service, fill(service, 12))
    assert check(service, remove_at_once) == ["tidy_stopped"]
    assert len(service.stored_recordings()) == 12
    told_to = replace(service, settings=service.settings.model_copy(update={"tidy_max_share_pct": 100.0}))
    assert check(told_to, remove_at_once) == ["deleted_file_removed"] * 12
    assert service.stored_files() == []


def test_a_trace_that_came_back_meanwhile_is_kept(check: Check, service: Service) -> None:
    (trace_id,) = fill(service, 1)
    delete_but_keep_files(service, [trace_id])

    async def upload_then_remove(upkeep: Upkeep, stored: set[str]) -> None:
        await asyncio.to_thread(fill, service, 1)
        await upkeep.remove_deleted(stored, 0)

    assert "deleted_file_removed" not in check(service, upload_then_remove)
    assert service.client.get(f"/api/v1/traces/{trace_id}/raw").content == trace_file(0)


@pytest.mark.parametrize("code", ["file_missing", "read_failed"])
def test_a_file_that_is_missing_here_is_loaded_by_whoever_finds_it(
    check: Check, service: Service, worker: subprocess.Popen[bytes], code: str
) -> None:
    trace_id = service.ready(trace_file())
    error = f'{{"class": "io", "code": "{code}", "sentence": "", "place": null, "excerpt": ""}}'
    service.rows(f"UPDATE trace SET status = 'failed', error = '{error}' RETURNING 1")  # noqa: S608
    assert check(service, run_all) == ["missing_file_found"]
    assert service.wait(trace_id)["status"] == "ready"
    assert worker.poll() is None


@pytest.mark.parametrize("mode", [0o000, 0o644])
def test_a_file_that_cannot_be_read_does_not_keep_the_others_out(
    check: Check, service: Service, mode: int
) -> None:
    fill(service, 2)
    service.rows("DELETE FROM trace RETURNING 1")
    first, second = sorted(service.stored_recordings())
    if mode:
        first.write_bytes(b"other bytes")
    else:
        first.unlink()
        os.mkfifo(first)
    events = check(service, run_all)
    assert events.count("file_adopted") == 1
    assert second.exists()
