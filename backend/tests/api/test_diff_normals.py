"""Where a call or case has its like in other traces: which traces are offered, and in which order."""

import pytest

from jitterscope.schemas.diff_normals import DiffNormals
from tests.api.service import Service

GRAPH = """# tracer: function_graph
#
# CPU  DURATION                  FUNCTION CALLS
# |     |   |                     |   |   |   |
"""
EVENTS = """# tracer: nop
#
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
          <idle>-0 [000] d.h1. 100.000100: irq_handler_entry: irq=24 name={name}
          <idle>-0 [000] d.h1. 100.0001{us}: irq_handler_exit: irq=24 ret=handled
"""


def call(function: str, duration_us: int) -> bytes:
    return f"{GRAPH} 0)   {duration_us}.000 us   |  {function}();\n".encode()


def interrupt(name: str, us: int) -> bytes:
    return EVENTS.format(name=name, us=us).encode()


@pytest.fixture(scope="session")
def traces(working_service: Service) -> dict[str, str]:
    """Ids by name. Only `late` and its like share labels."""
    files = {
        "late": call("find_me", 99),
        "labelled": call("find_me", 7),
        "plain": call("find_me", 5),
        "other": call("not_me", 5),
    }
    ids = {name: working_service.ready(text) for name, text in files.items()}
    for name in ("late", "labelled", "other"):
        labels = {"labels": {"board": "finder", "run": name}}
        response = working_service.client.patch(f"/api/v1/traces/{ids[name]}", json=labels)
        assert response.status_code == 200, response.text
    return ids


def offered(service: Service, abnormal: str, *recent: str, limit: int = 20) -> DiffNormals:
    asked: dict[str, str | int | list[str]] = {"abnormal": abnormal, "recent": list(recent), "limit": limit}
    response = service.client.get("/api/v1/diff/normals", params=asked)
    assert response.status_code == 200, response.text
    return DiffNormals.model_validate_json(response.content)


def test_traces_with_the_function_are_offered_by_their_labels(
    working_service: Service, traces: dict[str, str]
) -> None:
    found = offered(working_service, f"{traces['late']}/call-cpu0@0.0")
    assert (found.function, found.kind, found.count) == ("find_me", None, 1)
    assert [trace.id for trace in found.traces] == [traces["labelled"], traces["plain"]]
    first = found.traces[0]
    assert (first.labels, first.shared_labels) == ({"board": "finder", "run": "labelled"}, ["board"])
    assert (first.count, first.median_ns, first.max_ns) == (1, 7_000, 7_000)
    # What is offered can be compared with.
    asked = {"abnormal": f"{traces['late']}/call-cpu0@0.0", "normal": first.normal}
    response = working_service.client.get("/api/v1/diff", params=asked)
    assert response.json()["delta_ns"] == 92_000


def test_traces_that_were_used_last_come_first(working_service: Service, traces: dict[str, str]) -> None:
    late = f"{traces['late']}/call-cpu0@0"
    found = offered(working_service, late, traces["other"], traces["plain"], "gone", traces["labelled"])
    assert [trace.id for trace in found.traces] == [traces["plain"], traces["labelled"]]
    found = offered(working_service, late, traces["plain"], limit=1)
    assert [trace.id for trace in found.traces] == [traces["plain"]]


def test_cases_are_offered_by_kind_and_key(working_service: Service) -> None:
    late, quick, other = (
        working_service.ready(interrupt(*which))
        for which in (("finder0", 90), ("finder0", 20), ("finder1", 20))
    )
    found = offered(working_service, f"{late}/irq-cpu0@100000100000")
    assert (found.function, found.kind, found.key) == (None, "irq", "finder0 [24]")
    assert (found.count, [(trace.id, trace.count) for trace in found.traces]) == (1, [(quick, 1)])
    assert other not in {trace.id for trace in found.traces}


def test_the_trace_says_how_many_it_has_itself(working_service: Service) -> None:
    two = working_service.ready(
        interrupt("finder2", 30) + interrupt("finder2", 40).replace(b" 100.", b" 101.")
    )
    assert offered(working_service, f"{two}/irq-cpu0@100000100000").count == 2


def test_a_side_that_is_not_there_is_refused(working_service: Service, traces: dict[str, str]) -> None:
    for abnormal, status in ((f"{traces['late']}/call-cpu0@7.0", 404), ("nonsense", 422)):
        response = working_service.client.get("/api/v1/diff/normals", params={"abnormal": abnormal})
        assert response.status_code == status, response.text
