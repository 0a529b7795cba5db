"""Lists as a whole, as CSV and NDJSON: the rows are those of the pages."""

import csv
import io
import json
from typing import Any

import pytest

from tests.api.service import Service

_ACCEPT = {"csv": "text/csv", "ndjson": "application/x-ndjson"}


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


@pytest.mark.parametrize("wanted", ["csv", "ndjson"])
def test_a_page_that_was_kept_does_not_stand_for_the_whole(
    waiting_trace: tuple[Service, str], wanted: str
) -> None:
    service, trace_id = waiting_trace
    path = f"/api/v1/traces/{trace_id}/events"
    page = service.client.get(path)
    assert service.client.get(path).content == page.content
    whole = service.client.get(path, headers={"Accept": _ACCEPT[wanted]})
    assert whole.headers["content-type"].startswith(_ACCEPT[wanted])
    assert service.client.get(path, params={"format": wanted}).content == whole.content
    assert service.client.get(path).content == page.content


def test_the_best_that_is_accepted_is_given(waiting_trace: tuple[Service, str]) -> None:
    service, trace_id = waiting_trace

    def media_type(accept: str) -> str:
        answer = service.client.get(f"/api/v1/traces/{trace_id}/functions", headers={"Accept": accept})
        assert answer.status_code == 200
        return str(answer.headers["content-type"].partition(";")[0])

    assert media_type("text/csv;q=0.5, application/x-ndjson") == "application/x-ndjson"
    assert media_type("text/html, */*;q=0.8") == "application/json"
    assert media_type("application/json;q=0, text/csv") == "text/csv"


def test_what_cannot_be_had_is_refused_with_what_can(waiting_trace: tuple[Service, str]) -> None:
    service, trace_id = waiting_trace
    for name in ("events", "latencies", "functions", "calls"):
        path = f"/api/v1/traces/{trace_id}/{name}"
        answer = service.client.get(path, headers={"Accept": "application/pdf"})
        assert (answer.status_code, answer.json()["code"]) == (406, "not_acceptable")
        assert answer.json()["available"] == ["application/json", "text/csv", "application/x-ndjson"]
        assert service.client.get(path, params={"format": "pdf"}).status_code == 422
