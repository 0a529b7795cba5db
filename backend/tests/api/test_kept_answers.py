"""Answers that were given before: the same bytes, and none of a trace that has gone."""

import subprocess

import psycopg
import pytest

from tests.api.service import Service, ServiceMaker, busy_lines, running_worker, trace_file

ASKS = (
    "timeline?width=300",
    "events?limit=10",
    "latencies",
    "latencies/kinds",
    "latencies/stats?kind=irq",
    "functions",
    "event-types",
)


@pytest.mark.usefixtures("worker")
def test_an_answer_is_the_same_again_until_the_trace_is_deleted(
    service: Service, worker: subprocess.Popen[bytes]
) -> None:
    assert worker.poll() is None
    trace_id = service.ready(trace_file() + busy_lines(2000))
    paths = [f"/api/v1/traces/{trace_id}/{ask}" for ask in ASKS]
    for encoding in ("gzip", "identity"):
        headers = {"Accept-Encoding": encoding}
        first = [service.client.get(path, headers=headers) for path in paths]
        again = [service.client.get(path, headers=headers) for path in paths]
        assert [answer.status_code for answer in first] == [200] * len(paths)
        assert [answer.content for answer in again] == [answer.content for answer in first]
        assert [answer.headers.get("content-encoding") for answer in again] == [
            answer.headers.get("content-encoding") for answer in first
        ]
        assert {answer.headers["cache-control"] for answer in again} == {"no-store"}
    service.client.delete(f"/api/v1/traces/{trace_id}")
    assert {service.client.get(path).status_code for path in paths} == {404}


def test_permalinks_are_those_of_the_name_that_was_asked(ready_trace: tuple[Service, str]) -> None:
    service, trace_id = ready_trace
    path = f"/api/v1/traces/{trace_id}/latencies?limit=1"
    port = service.base_url.rpartition(":")[2]
    for host in (f"127.0.0.1:{port}", f"localhost:{port}") * 2:
        found = service.client.get(path, headers={"Host": host}).json()["items"]
        assert found[0]["url"].startswith(f"http://{host}/t/{trace_id}/")


def test_labels_change_what_they_change(ready_trace: tuple[Service, str]) -> None:
    service, trace_id = ready_trace
    path = f"/api/v1/traces/{trace_id}/interference"
    before = service.client.get(path).json()
    service.client.patch(f"/api/v1/traces/{trace_id}", json={"labels": {"isolcpus": "0"}})
    after = service.client.get(path).json()
    service.client.patch(f"/api/v1/traces/{trace_id}", json={"labels": {"isolcpus": None}})
    assert before != after
    assert service.client.get(path).json() == before


def test_what_is_at_hand_is_not_read_again(make_service: ServiceMaker) -> None:
    service = make_service()
    with running_worker(service.settings):
        trace_id = service.ready(trace_file())
    path = f"/api/v1/traces/{trace_id}/timeline?width=300"
    first = service.client.get(path)
    with psycopg.connect(service.settings.conninfo) as other:
        # Another window of the same blocks needs no more.
        other.execute("LOCK TABLE slice_block, rollup_block, task IN ACCESS EXCLUSIVE MODE")
        again = service.client.get(path)
        assert (again.status_code, again.content) == (200, first.content)
        assert service.client.get(f"/api/v1/traces/{trace_id}/timeline?start=1&width=300").status_code == 200
