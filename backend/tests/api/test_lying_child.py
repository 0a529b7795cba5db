"""Loading by a worker whose child lies."""

import asyncio
import struct
from pathlib import Path

import pytest

from jitterscope.ingest.load import Loader
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
    assert rows_left(service) == {"symbol": 2}
