"""The catalog: paged, sorted, searched and labelled."""

import json

import pytest

from tests.api.recordings import sleeps, wakeups
from tests.api.service import Service, trace_file


def fill(service: Service, count: int) -> list[str]:
    """Ids of that many traces, oldest first."""
    return [
        service.upload(
            trace_file(number),
            f"t{number}.txt",
            labels=json.dumps({"n": str(number), "odd": str(number % 2)}),
        ).json()["id"]
        for number in range(count)
    ]


def listed(service: Service, **parameters: str | int | list[str]) -> list[str]:
    """Ids of all pages of a list."""
    found: list[str] = []
    cursor: str | None = None
    while True:
        more = {"cursor": cursor} if cursor else {}
        page = service.client.get("/api/v1/traces", params={**parameters, **more})
        assert page.status_code == 200, page.text
        found += [item["id"] for item in page.json()["items"]]
        cursor = page.json()["next"]
        if cursor is None:
            return found


def test_a_search_finds_what_the_worst_case_of_a_trace_says(working_service: Service) -> None:
    found = working_service.ready(wakeups([3, 4, 50], comm="Needle"))
    working_service.ready(wakeups([3, 4, 50], comm="thread"))
    headline = working_service.client.get(f"/api/v1/traces/{found}").json()["worst"]["headline"]
    assert "Needle-9 on CPU 0 took 50" in headline
    assert listed(working_service, q="needle took") == [found]
    assert listed(working_service, q=headline[:60]) == [found]
    assert working_service.client.get("/api/v1/traces/selection?q=needle").json()["trace_count"] == 1
    working_service.client.post(f"/api/v1/traces/{found}/reload")
    working_service.wait(found)
    assert listed(working_service, q="needle") == [found]


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 1000])
def test_pages_join_to_the_whole_list(service: Service, limit: int) -> None:
    ids = fill(service, 6)
    assert listed(service, limit=limit) == ids[::-1]
    assert listed(service, limit=limit, sort="created_at") == ids
    assert listed(service, limit=limit, sort="-name") == ids[::-1]
    # Equal values are told apart by the id, so none is lost or shown twice.
    assert sorted(listed(service, limit=limit, sort="duration_ns")) == sorted(ids)
    assert sorted(listed(service, limit=limit, sort="-kernel")) == sorted(ids)


def test_labels_and_words_narrow_the_list(service: Service) -> None:
    ids = fill(service, 4)
    assert listed(service, label="odd:1") == [ids[3], ids[1]]
    assert listed(service, label=["odd:1", "n:3"]) == [ids[3]]
    assert listed(service, label="n") == ids[::-1]
    assert listed(service, label="nothing:1") == []
    assert listed(service, q="T2") == [ids[2]]
    assert listed(service, q="odd:0 t") == [ids[2], ids[0]]
    assert listed(service, q=ids[0][:6]) == [ids[0]]
    assert listed(service, q="100%_") == []


def test_a_patch_changes_what_it_names(service: Service) -> None:
    (trace_id,) = fill(service, 1)
    path = f"/api/v1/traces/{trace_id}"
    answer = service.client.patch(path, json={"labels": {"n": None, "odd": "x", "board": "rpi5"}})
    assert answer.status_code == 200
    assert answer.json()["labels"] == {"board": "rpi5", "odd": "x"}
    assert service.client.patch(path, json={"name": " Spike "}).json()["name"] == "Spike"
    assert service.client.get(path).json()["labels"] == {"board": "rpi5", "odd": "x"}


@pytest.mark.parametrize(
    ("patch", "parameter"),
    [
        ({"name": ""}, "name"),
        ({"name": "\u202e"}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"status": "ready"}, "status"),
        ({"labels": {"a b": "1"}}, "labels.a b.[key]"),
        ({"labels": {"a": "\u0000"}}, "labels.a"),
    ],
)
def test_a_bad_patch_is_refused_by_name(service: Service, patch: object, parameter: str) -> None:
    (trace_id,) = fill(service, 1)
    answer = service.client.patch(f"/api/v1/traces/{trace_id}", json=patch)
    assert answer.status_code == 422
    assert parameter in [error["parameter"] for error in answer.json()["errors"]]


def test_deleting_one_leaves_the_others(service: Service) -> None:
    ids = fill(service, 3)
    assert service.client.delete(f"/api/v1/traces/{ids[1]}").status_code == 204
    assert service.client.delete(f"/api/v1/traces/{ids[1]}").status_code == 404
    assert listed(service) == [ids[2], ids[0]]
    assert len(service.stored_recordings()) == 2
    assert service.rows("SELECT count(*) FROM label") == [(4,)]


def test_a_trace_tells_its_worst_case(service: Service, worker: object) -> None:
    late = service.ready(wakeups([5, 90, 7]), "late.txt")
    later = service.ready(wakeups([5, 250]), "later.txt")
    none = service.ready(trace_file(), "none.txt")
    worst = {item["id"]: item["worst"] for item in service.client.get("/api/v1/traces").json()["items"]}
    assert (worst[late]["kind"], worst[late]["duration_ns"], worst[late]["cpu"]) == ("wakeup", 90_000, 0)
    case = service.client.get(f"/api/v1/traces/{late}/latencies/{worst[late]['id']}").json()
    assert (case["duration_ns"], case["headline"]) == (90_000, worst[late]["headline"])
    assert worst[late]["ruler"]["stages"] == case["stages"] != []
    links = [{"start_ns": link["start"], "duration_ns": link["duration_ns"]} for link in case["why"]]
    assert [part in links for part in worst[late]["ruler"]["late"]] == [True]
    # An interrupt says how long it took: told where nothing says how late something was.
    assert (worst[none]["kind"], worst[none]["duration_ns"], worst[none]["ruler"]) == ("irq", 15_000, None)
    assert listed(service, sort="-worst") == [later, late, none]
    assert listed(service, sort="worst", limit=1) == [none, late, later]


@pytest.mark.parametrize("count", [0, 3, 30])
def test_a_trace_is_not_headed_by_the_start_of_a_task(service: Service, worker: object, count: int) -> None:
    """A task that is just being made begins its first sleeps too late; few others are no period."""
    starts = [(800, 5), (700, 5)]
    trace_id = service.ready(sleeps([*starts, (-100, 90), *[(-100, 10)] * count]), "starts.txt")
    path = f"/api/v1/traces/{trace_id}/latencies"
    params: dict[str, str | int] = {"kind": "cyclic", "limit": 100}
    longest = service.client.get(path, params=params | {"sort": "-duration"}).json()["items"]
    assert [item["duration_ns"] for item in longest[:3]] == [806_000, 706_000, 91_000]
    assert ["starting" in item["flags"] for item in longest[:3]] == [True, True, False]
    worst = service.client.get(path, params=params).json()["items"]
    assert worst == longest[2:] + longest[:2]
    joined: list[object] = []
    more = params | {"limit": 2}
    while "cursor" not in more or more["cursor"]:
        page = service.client.get(path, params=more).json()
        joined += page["items"]
        more["cursor"] = page["next"]
    assert joined == worst
    kinds = {kind["kind"]: kind for kind in service.client.get(f"{path}/kinds").json()["items"]}
    assert (kinds["cyclic"]["worst"]["id"], kinds["cyclic"]["max_ns"]) == (worst[0]["id"], 806_000)
    assert "starting" not in kinds["timer"]["worst"]["flags"]
    of_task = service.client.get(f"{path}/kinds", params={"comm": "rt"}).json()["items"]
    assert worst[0]["id"] in [kind["worst"]["id"] for kind in of_task if kind["worst"]]
    check = [{"kind": "cyclic", "stat": "max", "op": "<=", "value": "91us"}]
    (result,) = service.client.post(f"/api/v1/traces/{trace_id}/checks", json=check).json()["results"]
    assert result["worst"]["id"] == longest[0]["id"]
    (item,) = service.client.get("/api/v1/traces").json()["items"]
    assert (item["worst"]["kind"], item["worst"]["duration_ns"]) == ("cyclic", 91_000)


def test_events_and_calls_sort_as_records(service: Service, worker: object) -> None:
    long = service.ready(wakeups([5] * 30), "long.txt")
    short = service.ready(wakeups([5] * 3), "short.txt")
    assert listed(service, sort="-record_count") == [long, short]
    assert listed(service, sort="record_count", limit=1) == [short, long]
