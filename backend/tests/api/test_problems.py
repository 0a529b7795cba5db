"""Refusals are problem documents that name what is wrong."""

import pytest

from tests.api.service import Service


def check(service: Service, method: str, path: str, status: int, code: str, parameter: str | None) -> None:
    response = service.client.request(method, path)
    problem = response.json()
    assert response.headers["content-type"] == "application/problem+json"
    assert (response.status_code, problem["status"], problem["code"]) == (status, status, code)
    assert problem["request_id"] == response.headers["x-request-id"]
    assert problem["title"]
    assert problem["detail"]
    if parameter is not None:
        assert [error["parameter"] for error in problem["errors"]] == [parameter]
        assert parameter in problem["detail"]


@pytest.mark.parametrize(
    ("path", "parameter"),
    [
        ("/api/v1/traces?limit=1001", "limit"),
        ("/api/v1/traces?limit=x", "limit"),
        ("/api/v1/traces?sort=key", "sort"),
        ("/api/v1/traces?cursor=AAAA", "cursor"),
        ("/api/v1/traces?cursor=WyJuYW1lIiwgMSwgImEiXQ", "cursor"),
        ("/api/v1/traces?q=" + "x" * 201, "q"),
        ("/api/v1/traces?lable=a:b", "lable"),
        ("/api/v1/traces/abc?wait=-1", "wait"),
        ("/api/v1/traces/abc?wait=1000", "wait"),
    ],
)
def test_a_bad_parameter_is_named(idle_service: Service, path: str, parameter: str) -> None:
    check(idle_service, "GET", path, 422, "invalid_parameter", parameter)


@pytest.mark.parametrize("method", ["GET", "DELETE"])
@pytest.mark.parametrize("trace_id", ["abcdefghijkl", "%00", "x" * 500])
def test_an_unknown_trace_is_not_found(idle_service: Service, method: str, trace_id: str) -> None:
    check(idle_service, method, f"/api/v1/traces/{trace_id}", 404, "not_found", None)


@pytest.mark.parametrize(
    "call", ["raw", "progress", "events", "timeline", "calls", "calltree", "functions", "warnings"]
)
def test_nothing_is_inside_an_unknown_trace(idle_service: Service, call: str) -> None:
    check(idle_service, "GET", f"/api/v1/traces/abcdefghijkl/{call}", 404, "not_found", None)


def test_unknown_paths_and_methods_are_problems(idle_service: Service) -> None:
    check(idle_service, "GET", "/api/v1/nothing", 404, "not_found", None)
    check(idle_service, "PUT", "/api/v1/traces", 405, "method_not_allowed", None)
