"""Loading by a worker whose child lies, or whose disk fails."""

import asyncio
import errno
import os
import struct
from pathlib import Path

import pytest

from jitterscope.ingest.load import Loader, StoredFileUnusable
from jitterscope.store.blobs import BlobStore
from jitterscope.store.database import WORKER_LIMITS, Database
from tests.api.lying_child import children_that_write, json_frame, table_frame
from tests.api.service import Service, ServiceMaker, running_worker, trace_file
from tests.api.test_loading import rows_left

SUMMARY = json_frame("S", {"format": "ftrace-text"})


async def _conclude(*_: object) -> None:
    pass


def load(service: Service, key: int) -> None:
    """As a worker does it, in this process."""

    async def work() -> None:
        database = Database(service.settings, WORKER_LIMITS)
        try:
            await Loader(service.settings, database, BlobStore(service.settings), _conclude).load(key)
        finally:
            await database.close()

    asyncio.run(work())


def key_of(service: Service, trace_id: str) -> int:
    ((key,),) = service.rows(f"SELECT key FROM trace WHERE id = '{trace_id}'")  # noqa: S608
    return int(str(key))


def error_of(service: Service, trace_id: str) -> dict[str, str]:
    trace = service.client.get(f"/api/v1/traces/{trace_id}").json()
    assert trace["status"] == "failed"
    error: dict[str, str] = trace["error"]
    return error


def symbol(key: int, idx: int) -> list[bytes | None]:
    return [struct.pack(">q", key), struct.pack(">i", idx), b"forged", None]


@pytest.mark.parametrize("lie", ["all", "last", "explanation"])
def test_a_child_cannot_write_into_another_trace(
    make_service: ServiceMaker, tmp_path: Path, lie: str
) -> None:
    service = make_service(max_parser_crashes=1)
    with running_worker(service.settings):
        victim = key_of(service, service.ready(trace_file(1)))
    before = rows_left(service)
    trace_id = service.upload(trace_file(2)).json()["id"]
    own = key_of(service, trace_id)
    rows = {
        "all": table_frame("symbol", [symbol(victim, 900), symbol(victim, 901)]),
        "last": table_frame("symbol", [symbol(own, 0), symbol(own, 1), symbol(victim, 902)]),
        # A table of the trace that only the worker fills.
        "explanation": table_frame(
            "latency_explanation",
            [[struct.pack(">q", own), struct.pack(">h", 1), struct.pack(">i", 1), b"id", b"forged"]],
        ),
    }
    with children_that_write(rows[lie] + SUMMARY, tmp_path):
        load(service, own)
    assert error_of(service, trace_id)["code"] == "parser_crash"
    assert "rows that are not this trace's" in error_of(service, trace_id)["sentence"]
    assert rows_left(service) == before


def test_a_child_that_tells_the_truth_is_believed(service: Service, tmp_path: Path) -> None:
    trace_id = service.upload(trace_file()).json()["id"]
    own = key_of(service, trace_id)
    frames = table_frame("symbol", [symbol(own, 0), symbol(own, 1)]) + SUMMARY
    with children_that_write(frames, tmp_path):
        load(service, own)
    assert service.client.get(f"/api/v1/traces/{trace_id}").json()["status"] == "ready"
    assert rows_left(service) == {"symbol": 2, "trace_missing": 1}


@pytest.mark.parametrize("code", [errno.EACCES, errno.EIO])
def test_a_file_that_cannot_be_opened_is_tried_again_and_then_failed(
    make_service: ServiceMaker, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    service = make_service(missing_file_attempts=2)
    trace_id = service.upload(trace_file()).json()["id"]
    key = key_of(service, trace_id)

    def refuse(_blobs: BlobStore, sha256: str) -> int:
        raise OSError(code, os.strerror(code), f"/secret/{sha256}")

    with monkeypatch.context() as patch:
        patch.setattr(BlobStore, "open", refuse)
        with pytest.raises(StoredFileUnusable, match=os.strerror(code)):
            load(service, key)
        assert service.client.get(f"/api/v1/traces/{trace_id}").json()["status"] == "queued"
        load(service, key)
    error = error_of(service, trace_id)
    assert (error["code"], error["class"]) == ("read_failed", "io")
    assert error["sentence"] == f"The stored file could not be opened, tried 2 times: {os.strerror(code)}."
    assert "load the trace again" in error["remedy"]
    assert "secret" not in str(error)
    # The way out that it names.
    assert service.client.post(f"/api/v1/traces/{trace_id}/reload").status_code == 202
    load(service, key_of(service, trace_id))
    assert service.client.get(f"/api/v1/traces/{trace_id}").json()["status"] == "ready"


def test_a_disk_that_fails_under_the_child_is_tried_again(make_service: ServiceMaker, tmp_path: Path) -> None:
    service = make_service(missing_file_attempts=2)
    trace_id = service.upload(trace_file()).json()["id"]
    key = key_of(service, trace_id)
    sentence = "The stored file could not be read: Input/output error (os error 5)."
    told = {"class": "io", "code": "read_failed", "sentence": sentence, "place": None, "excerpt": ""}
    with children_that_write(json_frame("E", told), tmp_path):
        with pytest.raises(StoredFileUnusable):
            load(service, key)
        load(service, key)
    error = error_of(service, trace_id)
    assert (error["code"], error["sentence"]) == ("read_failed", sentence)
    assert "load the trace again" in error["remedy"]


def test_a_folder_that_may_not_be_entered_is_no_missing_file(
    make_service: ServiceMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = make_service(missing_file_attempts=1)
    trace_id = service.upload(trace_file()).json()["id"]

    def refuse(_blobs: BlobStore, _sha256: str) -> bool:
        raise PermissionError(errno.EACCES, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(BlobStore, "has", refuse)
        load(service, key_of(service, trace_id))
    assert error_of(service, trace_id)["code"] == "read_failed"
