"""Many traces at once: counted, labelled, deleted and exported."""

import csv
import io
import json

import pytest

from jitterscope.ingest import many_traces
from tests.api.service import Service, trace_file
from tests.api.test_traces import fill, listed

SELECTION = "/api/v1/traces/selection"


def done(service: Service, deed: str, **body: object) -> int:
    """How many traces all calls together have changed."""
    changed_count = 0
    cursor: str | None = None
    while True:
        answer = service.client.post(f"{SELECTION}/{deed}", json={**body, "cursor": cursor})
        assert answer.status_code == 200, answer.text
        changed_count += int(answer.json()["changed_count"])
        cursor = answer.json()["next"]
        if cursor is None:
            return changed_count


def size(service: Service, **query: str) -> dict[str, object]:
    found: dict[str, object] = service.client.get(SELECTION, params=query).json()
    return found


@pytest.fixture
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many_traces, "_LABELLED_AT_ONCE", 2)
    monkeypatch.setattr(many_traces, "_DELETED_AT_ONCE", 2)


@pytest.mark.usefixtures("few_at_once")
def test_labels_reach_all_that_match_and_no_others(service: Service) -> None:
    ids = fill(service, 5)
    assert size(service, label="odd:0")["trace_count"] == 3
    assert size(service)["size_bytes"] == 5 * len(trace_file())
    # The new label takes them out of the selection, and yet each is met.
    deed = {"matching": {"label": ["odd:0"]}, "labels": {"odd": "no", "n": None, "board": "rpi5"}}
    assert done(service, "labels", **deed) == 3
    assert done(service, "labels", **deed) == 0
    assert listed(service, label=["board:rpi5", "odd:no"]) == [ids[4], ids[2], ids[0]]
    assert listed(service, label="n") == [ids[3], ids[1]]
    # The search and the file beside the recording know it, too.
    assert listed(service, q="rpi5 t2") == [ids[2]]
    described = [path.read_text() for path in service.stored_files() if path.suffix]
    assert sum('"board"' in text for text in described) == 3


@pytest.mark.usefixtures("few_at_once")
def test_what_was_uploaded_since_is_left_alone(service: Service) -> None:
    ids = fill(service, 4)
    as_of = size(service)["as_of"]
    late = service.upload(trace_file(99), "late.txt").json()["id"]
    assert done(service, "delete", matching={"as_of": as_of, "except_ids": [ids[1]]}) == 3
    assert listed(service) == [late, ids[1]]
    assert len(service.stored_recordings()) == 2
    assert done(service, "delete", matching={"as_of": as_of, "except_ids": [ids[1]]}) == 0


def test_ids_that_are_gone_are_passed_over(service: Service) -> None:
    ids = fill(service, 3)
    assert done(service, "delete", ids=[ids[0], ids[2], "a" * 12]) == 2
    assert done(service, "delete", ids=[ids[0], ids[2]]) == 0
    assert done(service, "delete", ids=[]) == 0
    assert listed(service) == [ids[1]]


def test_one_trace_with_too_many_labels_stops_all_of_them(service: Service) -> None:
    ids = fill(service, 2)
    for start in range(0, 254, 50):
        labels = {f"l{n}": "1" for n in range(start, min(254, start + 50))}
        assert done(service, "labels", ids=[ids[1]], labels=labels) == 1
    answer = service.client.post(f"{SELECTION}/labels", json={"matching": {}, "labels": {"one": "more"}})
    assert answer.status_code == 422
    assert ids[1] in answer.json()["detail"]
    assert listed(service, label="one") == []


def test_rows_are_exported(service: Service) -> None:
    ids = fill(service, 3)
    service.client.patch(f"/api/v1/traces/{ids[1]}", json={"name": "=cmd|' /C calc'!A0"})
    wanted = {"ids": [ids[1], ids[2]]}
    text = service.client.post(f"{SELECTION}/export", json=wanted).text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["id"], row["name"]) for row in rows] == [(ids[2], "t2"), (ids[1], "'=cmd|' /C calc'!A0")]
    assert rows[0]["labels"] == "n=2 odd=0"
    assert service.client.get(rows[0]["raw_url"]).content == trace_file(2)
    answer = service.client.post(f"{SELECTION}/export", json={"matching": {"q": "t"}, "format": "ndjson"})
    assert answer.headers["content-disposition"] == 'attachment; filename="traces.ndjson"'
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert lines == service.client.get("/api/v1/traces", params={"q": "t"}).json()["items"]


@pytest.mark.parametrize(
    ("deed", "body"),
    [
        ("delete", {}),
        ("delete", {"ids": [], "matching": {}}),
        ("delete", {"ids": ["../../etc"]}),
        ("delete", {"ids": ["a" * 12] * 4001}),
        ("delete", {"matching": {"q": "\0"}}),
        ("delete", {"matching": {"query": "x"}}),
        ("delete", {"matching": {"as_of": "yesterday"}}),
        ("delete", {"matching": {}, "cursor": "x"}),
        ("labels", {"matching": {}, "labels": {}}),
        ("labels", {"matching": {}, "labels": {"a b": "1"}}),
        ("export", {"matching": {}, "format": "xlsx"}),
    ],
)
def test_a_selection_that_is_none_is_refused(service: Service, deed: str, body: object) -> None:
    (trace_id,) = fill(service, 1)
    assert service.client.post(f"{SELECTION}/{deed}", json=body).status_code == 422
    assert listed(service) == [trace_id]
