"""What a trace can be compared with: alike but for one thing."""

from tests.api.recordings import wakeups
from tests.api.service import Service, trace_file


def _labelled(service: Service, number: int, **labels: str) -> str:
    trace_id = service.ready(wakeups([5, 9 + number], comm=f"alike{number}"))
    assert service.client.patch(f"/api/v1/traces/{trace_id}", json={"labels": labels}).status_code == 200
    return trace_id


def test_those_that_differ_in_one_label_come_first(working_service: Service) -> None:
    own = _labelled(working_service, 1, board="alike", load="none")
    loaded = _labelled(working_service, 2, board="alike", load="heavy")
    other = _labelled(working_service, 3, board="another", load="heavy")
    more = _labelled(working_service, 4, board="alike", load="none", run="2")
    queued = working_service.upload(trace_file(977)).json()["id"]
    path = f"/api/v1/traces/{own}/comparable"
    answer = working_service.client.get(path, params={"recent": [more, own, "gone"]}).json()
    assert answer["labels"] == {"board": "alike", "load": "none"}
    items = answer["items"]
    assert [(one["id"], one["likeness"], one["label"]) for one in items[:2]] == [
        (loaded, "label", "load"),
        (more, "opened", None),
    ]
    assert items[0]["labels"] == {"board": "alike", "load": "heavy"}
    likeness = {one["id"]: one["likeness"] for one in items}
    assert likeness[other] == "tracer"
    assert own not in likeness
    # It has no latency, so there is nothing to compare.
    working_service.wait(queued)
    plain = working_service.ready(b"# tracer: nop\n#\nsh-7 [000] ..... 1.000000: bprint: hello\n")
    assert plain not in {one["id"] for one in working_service.client.get(path).json()["items"]}
    assert len(working_service.client.get(path, params={"limit": 1}).json()["items"]) == 1
    assert working_service.client.get("/api/v1/traces/abcdefghijkl/comparable").status_code == 404


def test_the_tie_to_a_trace_is_no_difference(working_service: Service) -> None:
    own = _labelled(working_service, 11, board="tied", load="none")
    tied = _labelled(working_service, 12, board="tied", load="heavy", **{"with": own})
    answer = working_service.client.get(f"/api/v1/traces/{tied}/comparable").json()
    assert answer["labels"] == {"board": "tied", "load": "heavy"}
    first = answer["items"][0]
    assert (first["id"], first["likeness"], first["label"]) == (own, "label", "load")
