"""A stored file that is missing, and every way back: another try, another upload, `reload`."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.api.service import Service, ServiceMaker, running_worker, settings_for, trace_file
from tests.api.test_loading import rows_left, until


@pytest.fixture
def impatient(make_service: ServiceMaker) -> Service:
    """A service that looks for a missing file only twice."""
    return make_service(missing_file_attempts=2)


def recording_of(service: Service) -> Path:
    (stored,) = service.stored_recordings()
    return stored


def failed_for_want_of_its_file(service: Service) -> str:
    trace_id = str(service.upload(trace_file(), name="Mine", labels='{"a": "1"}').json()["id"])
    recording_of(service).unlink()
    with running_worker(service.settings):
        trace = service.wait(trace_id)
    error = trace["error"]
    assert isinstance(error, dict)
    assert (trace["status"], error["code"], error["class"]) == ("failed", "file_missing", "io")
    assert "2 times" in error["sentence"]
    assert "Upload the same file again" in error["remedy"]
    return trace_id


def test_a_missing_file_is_looked_for_again_and_then_failed(impatient: Service) -> None:
    failed_for_want_of_its_file(impatient)
    assert impatient.rows("SELECT attempt, missing_count, crash_count FROM trace") == [(2, 1, 0)]
    assert rows_left(impatient) == {}


def test_a_file_that_comes_back_is_loaded(service: Service) -> None:
    trace_id = service.upload(trace_file()).json()["id"]
    stored = recording_of(service)
    stored.rename(stored.with_suffix(".away"))
    with running_worker(service.settings):
        until(lambda: service.rows("SELECT 1 FROM trace WHERE missing_count > 0"), "an attempt without it")
        assert service.client.get(f"/api/v1/traces/{trace_id}").json()["status"] in ("queued", "parsing")
        stored.with_suffix(".away").rename(stored)
        assert service.wait(trace_id)["status"] == "ready"


def test_another_machine_that_has_the_file_loads_it(
    service: Service, database_url: str, tmp_path: Path
) -> None:
    trace_id = service.upload(trace_file()).json()["id"]
    with running_worker(settings_for(tmp_path / "elsewhere", database_url, {})):
        until(lambda: service.rows("SELECT 1 FROM trace WHERE missing_count > 0"), "an attempt without it")
        with running_worker(service.settings):
            assert service.wait(trace_id)["status"] == "ready"


def test_uploading_it_again_heals_a_failed_trace(impatient: Service) -> None:
    trace_id = failed_for_want_of_its_file(impatient)
    before = impatient.client.get(f"/api/v1/traces/{trace_id}").json()
    again = impatient.upload(trace_file(), name="Other", labels='{"b": "2"}')
    assert (again.status_code, again.json()["id"], again.json()["status"]) == (202, trace_id, "queued")
    with running_worker(impatient.settings):
        trace = impatient.wait(trace_id)
    assert (trace["status"], trace["error"]) == ("ready", None)
    assert (trace["name"], trace["labels"]) == ("Mine", {"a": "1", "b": "2"})
    assert trace["created_at"] == before["created_at"]


def test_reload_says_what_is_in_its_way(impatient: Service) -> None:
    def refused(trace_id: str) -> tuple[int, str]:
        answer = impatient.client.post(f"/api/v1/traces/{trace_id}/reload")
        return answer.status_code, answer.json()["code"]

    assert refused("abcdefghijkl") == (404, "not_found")
    queued = impatient.upload(trace_file(1)).json()["id"]
    assert refused(queued) == (409, "trace_not_ready")
    assert impatient.client.delete(f"/api/v1/traces/{queued}").status_code == 204
    assert refused(failed_for_want_of_its_file(impatient)) == (409, "file_missing")


def test_reload_reads_a_failed_file_again(impatient: Service) -> None:
    trace_id = failed_for_want_of_its_file(impatient)
    sha256 = impatient.client.get(f"/api/v1/traces/{trace_id}").json()["sha256"]
    recording = impatient.settings.store_folder / sha256[:2] / sha256
    recording.write_bytes(trace_file())
    answer = impatient.client.post(f"/api/v1/traces/{trace_id}/reload")
    assert (answer.status_code, answer.json()["status"], answer.json()["id"]) == (202, "queued", trace_id)
    with running_worker(impatient.settings):
        assert impatient.wait(trace_id)["status"] == "ready"


def test_reload_of_a_ready_trace_gives_the_same_answers(
    service: Service, worker: subprocess.Popen[bytes]
) -> None:
    trace_id = service.ready(trace_file(), labels='{"a": "1"}')
    path = f"/api/v1/traces/{trace_id}"

    def answers() -> list[object]:
        trace = service.client.get(path).json()
        parts = ("events", "timeline", "latencies?kind=irq", "event-types")
        return [trace | {"ready_at": None}, *(service.client.get(f"{path}/{part}").text for part in parts)]

    before, counts = answers(), rows_left(service)
    assert service.client.post(f"{path}/reload").status_code == 202
    assert service.wait(trace_id)["status"] == "ready"
    assert (answers(), rows_left(service)) == (before, counts)
    assert service.rows("SELECT count(*) FROM label") == [(1,)]
    assert worker.poll() is None


def test_a_ready_trace_without_its_file_can_be_read_but_not_reloaded(
    service: Service, worker: subprocess.Popen[bytes]
) -> None:
    trace_id = service.ready(trace_file())
    path = f"/api/v1/traces/{trace_id}"
    stored = recording_of(service)
    stored.unlink()
    raw = service.client.get(f"{path}/raw")
    assert (raw.status_code, raw.json()["code"]) == (404, "file_missing")
    assert "upload the same file again" in raw.json()["detail"]
    assert service.client.post(f"{path}/reload").status_code == 409
    assert service.client.get(f"{path}/timeline").status_code == 200
    healed = service.upload(trace_file())
    assert (healed.status_code, healed.json()["status"]) == (200, "ready")
    assert service.client.get(f"{path}/raw").content == trace_file()
    # A file whose bytes have changed on the disk is replaced in the same way.
    stored.write_bytes(b"rotten")
    assert service.upload(trace_file()).status_code == 200
    assert stored.read_bytes() == trace_file()
    assert worker.poll() is None


def test_what_cannot_be_read_by_its_nature_is_not_read_again(service: Service) -> None:
    trace_id = service.upload(trace_file()).json()["id"]
    error = json.dumps({"class": "corrupt", "code": "checksum_mismatch", "sentence": "", "excerpt": ""})
    service.rows(f"UPDATE trace SET status = 'failed', error = '{error}' RETURNING 1")  # noqa: S608
    again = service.upload(trace_file())
    assert (again.status_code, again.json()["status"]) == (200, "failed")
    # Unless somebody asks for it, as after an upgrade.
    assert service.client.post(f"/api/v1/traces/{trace_id}/reload").status_code == 202
