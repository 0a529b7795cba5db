"""The calls of one function: points, their spread, and refusals."""

import pytest

from jitterscope.schemas.function_instances import FunctionInstances
from tests.api.service import Service

CALLS = b"""# tracer: function_graph
#
# CPU  DURATION                  FUNCTION CALLS
# |     |   |                     |   |   |   |
 0)   1.000 us    |  tick();
 0)               |  outer() {
 0)   5.000 us    |    tick();
 0)   6.000 us    |  }
 1)   3.000 us    |  tick();
 1)   9.000 us    |  tick();
"""


@pytest.fixture(scope="session")
def graph(working_service: Service) -> tuple[Service, str]:
    return working_service, working_service.ready(CALLS)


def points(graph: tuple[Service, str], **parameters: str | int) -> FunctionInstances:
    service, trace_id = graph
    response = service.client.get(f"/api/v1/traces/{trace_id}/functions/instances", params=parameters)
    assert response.status_code == 200, response.text
    return FunctionInstances.model_validate_json(response.content)


def check_refused(graph: tuple[Service, str], status: int, detail: str, **parameters: str | int) -> None:
    service, trace_id = graph
    response = service.client.get(f"/api/v1/traces/{trace_id}/functions/instances", params=parameters)
    assert response.status_code == status, response.text
    assert response.json()["detail"].startswith(detail)


def test_every_call_is_a_point(graph: tuple[Service, str]) -> None:
    found = points(graph, function="tick")
    assert found.duration_ns == [1_000, 3_000, 5_000, 9_000]
    assert found.is_root == [True, True, False, True]
    assert found.spread is not None
    assert (found.spread.median_ns, found.spread.mad_ns, found.median) == (3_000, 2_000, "call-cpu1@0.0")
    assert (found.count, found.is_decimated, found.notes) == (4, False, [])


def test_filters_and_the_slowest_first(graph: tuple[Service, str]) -> None:
    found = points(graph, function="tick", sort="-duration", limit=2, min="2us")
    assert (found.id, found.count) == (["call-cpu1@3000.0", "call-cpu0@1000.1"], 3)
    assert points(graph, function="tick", cpu="7").count == 0


def test_refusals(graph: tuple[Service, str]) -> None:
    check_refused(graph, 404, 'There is no call of "tock" in the trace', function="tock")
    check_refused(graph, 422, "sort: ", function="tick", sort="x")
    check_refused(graph, 422, "max: max (1) must not be below min (2)", function="tick", min="2", max="1")
    check_refused(graph, 422, "function: ")
