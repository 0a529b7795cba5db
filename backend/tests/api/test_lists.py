"""Lists as a whole, in formats for programs: the rows are those of the pages."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from jitterscope.api.lists import MEDIA_TYPES
from tests.api.service import Service


def _pages(service: Service, path: str, **query: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    following: str | None = ""
    while following is not None:
        cursor = {"cursor": following} if following else {}
        page = service.client.get(path, params={**query, **cursor, "limit": "7"}).json()
        items += page["items"]
        following = page["next"]
    return items


@pytest.mark.parametrize(
    ("name", "query"), [("events", {"q": "event:sched_switch"}), ("latencies", {"sort": "t"})]
)
def test_all_rows_are_those_of_the_pages(
    waiting_trace: tuple[Service, str], name: str, query: dict[str, str]
) -> None:
    service, trace_id = waiting_trace
    path = f"/api/v1/traces/{trace_id}/{name}"
    pages = _pages(service, path, **query)
    assert len(pages) > 20
    lines = service.client.get(path, params={**query, "format": "ndjson"})
    assert lines.headers["content-type"] == "application/x-ndjson"
    assert [json.loads(line) for line in lines.text.splitlines()] == pages
    table = service.client.get(path, params=query, headers={"Accept": "text/csv"})
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(table.text, newline="")))
    assert [row["t"] for row in rows] == [str(item["t"]) for item in pages]
    assert [row["comm"] for row in rows] == [item["comm"] or "" for item in pages]


@pytest.mark.parametrize(
    ("name", "query"), [("events", {"q": "event:sched_switch"}), ("latencies", {"sort": "t"})]
)
@pytest.mark.parametrize(("wanted", "read"), [("arrow", pl.read_ipc_stream), ("parquet", pl.read_parquet)])
def test_another_library_reads_the_columns_of_the_pages(
    waiting_trace: tuple[Service, str],
    name: str,
    query: dict[str, str],
    wanted: str,
    read: Callable[[io.BytesIO], pl.DataFrame],
) -> None:
    service, trace_id = waiting_trace
    path = f"/api/v1/traces/{trace_id}/{name}"
    pages = _pages(service, path, **query)
    table = service.client.get(path, params={**query, "format": wanted})
    assert table.headers["content-type"] == MEDIA_TYPES[wanted]
    frame = read(io.BytesIO(table.content))
    assert (frame.schema["t"], frame.schema["cpu"], frame.schema["comm"]) == (
        pl.Int64(),
        pl.Int32(),
        pl.Categorical(),
    )
    columns = [column for column in frame.columns if column in pages[0] and column not in {"args", "flags"}]
    assert {"t", "cpu", "pid", "comm"} < {*columns}
    assert frame.select(columns).to_dicts() == [{name: page[name] for name in columns} for page in pages]


def test_a_parquet_file_says_which_trace_it_is_of(waiting_trace: tuple[Service, str]) -> None:
    service, trace_id = waiting_trace
    trace = service.client.get(f"/api/v1/traces/{trace_id}").json()
    path = f"/api/v1/traces/{trace_id}/latencies"
    answer = service.client.get(path, params={"format": "parquet"}, headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in answer.headers
    metadata = pl.read_parquet_metadata(io.BytesIO(answer.content))
    assert metadata["jitterscope.list"] == "latencies"
    assert metadata["jitterscope.url"] == trace["url"]
    assert metadata["jitterscope.origin_ns"] == trace["origin_ns"]


@pytest.mark.parametrize("wanted", [*MEDIA_TYPES][1:])
def test_a_page_that_was_kept_does_not_stand_for_the_whole(
    waiting_trace: tuple[Service, str], wanted: str
) -> None:
    service, trace_id = waiting_trace
    path = f"/api/v1/traces/{trace_id}/events"
    page = service.client.get(path)
    assert service.client.get(path).content == page.content
    whole = service.client.get(path, headers={"Accept": MEDIA_TYPES[wanted]})
    assert whole.headers["content-type"].startswith(MEDIA_TYPES[wanted])
    assert service.client.get(path, params={"format": wanted}).content == whole.content
    assert service.client.get(path).content == page.content


def test_the_best_that_is_accepted_is_given(waiting_trace: tuple[Service, str]) -> None:
    service, trace_id = waiting_trace

    def media_type(accept: str) -> str:
        answer = service.client.get(f"/api/v1/traces/{trace_id}/functions", headers={"Accept": accept})
        assert answer.status_code == 200
        return str(answer.headers["content-type"].partition(";")[0])

    assert media_type("application/vnd.apache.parquet, */*;q=0.1") == "application/vnd.apache.parquet"
    assert media_type("text/csv;q=0.5, application/x-ndjson") == "application/x-ndjson"
    assert media_type("text/html, */*;q=0.8") == "application/json"
    assert media_type("application/json;q=0, text/csv") == "text/csv"


def test_what_cannot_be_had_is_refused_with_what_can(waiting_trace: tuple[Service, str]) -> None:
    service, trace_id = waiting_trace
    for name in ("events", "latencies", "functions", "calls"):
        path = f"/api/v1/traces/{trace_id}/{name}"
        answer = service.client.get(path, headers={"Accept": "application/pdf"})
        assert (answer.status_code, answer.json()["code"]) == (406, "not_acceptable")
        assert answer.json()["available"] == [*MEDIA_TYPES.values()]
        assert service.client.get(path, params={"format": "pdf"}).status_code == 422
