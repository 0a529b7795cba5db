"""What the server says of itself."""

import pytest

from tests.api.service import Service, ServiceMaker, trace_file


def asked(service: Service) -> dict[str, dict[str, object]]:
    response = service.client.get("/api/v1/service")
    assert response.status_code == 200, response.text
    found: dict[str, dict[str, object]] = response.json()
    return found


@pytest.mark.usefixtures("worker")
def test_traces_bytes_and_workers_are_counted(service: Service) -> None:
    before = asked(service)
    service.ready(trace_file(171))
    after = asked(service)
    added = len(trace_file(171))
    assert after["storage"]["recording_bytes"] == int(str(before["storage"]["recording_bytes"])) + added
    assert after["storage"]["recording_count"] == int(str(before["storage"]["recording_count"])) + 1
    assert after["loads"]["worker_count"] == 1
    assert str(after["database_version"]).split(".")[0].isdecimal()
    assert after["walls"]


def test_a_trace_that_waits_for_a_worker_is_counted(make_service: ServiceMaker) -> None:
    service = make_service(max_upload_bytes=12_345)
    before = asked(service)
    service.upload(trace_file(172))
    after = asked(service)
    assert after["loads"]["worker_count"] == 0
    assert after["loads"]["queued_count"] == int(str(before["loads"]["queued_count"])) + 1
    assert after["storage"]["max_upload_bytes"] == 12_345
    assert not after["is_access_controlled"]
