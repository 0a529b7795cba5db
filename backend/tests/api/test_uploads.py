"""Getting a recording in: both ways, the same bytes, and everything that is refused."""

import gzip
import hashlib
import json
import socket
import threading
from urllib.parse import urlsplit

import pytest

from jitterscope import _ftrace
from tests.api.service import Service, ServiceMaker, busy_lines, trace_file


def check_refused(service: Service, content: bytes, status: int, code: str) -> None:
    """Refused both ways, with nothing left behind."""
    for response in (service.upload(content), service.client.post("/api/v1/traces", content=content)):
        assert (response.status_code, response.json()["code"]) == (status, code), response.text
        assert response.headers["content-type"] == "application/problem+json"
    assert service.stored_files() == []
    assert service.rows("SELECT id FROM trace") == []


def test_a_form_makes_a_queued_trace(service: Service) -> None:
    labels = {"kernel": "6.12-rt", "board": "qemu"}
    response = service.upload(trace_file(), "spike.txt.gz", name="A spike", labels=json.dumps(labels))
    assert response.status_code == 202
    trace = response.json()
    assert trace["status"] == "queued"
    assert (trace["name"], trace["filename"], trace["labels"]) == ("A spike", "spike.txt.gz", labels)
    assert trace["sha256"] == hashlib.sha256(trace_file()).hexdigest()
    assert trace["size_bytes"] == len(trace_file())
    assert trace["url"] == f"{service.base_url}/t/{trace['id']}"
    assert response.headers["location"] == f"/api/v1/traces/{trace['id']}"
    assert service.rows("SELECT task_name, args ->> 'trace_key' FROM procrastinate_jobs") == [
        ("load_trace", str(service.rows("SELECT key FROM trace")[0][0]))
    ]


def test_a_bare_body_makes_a_trace(service: Service) -> None:
    parameters = {"filename": "dir/night.dat", "labels": '{"job": "nightly"}'}
    response = service.client.post("/api/v1/traces", params=parameters, content=trace_file())
    assert response.status_code == 202
    trace = response.json()
    assert (trace["name"], trace["filename"], trace["labels"]) == ("night", "night.dat", {"job": "nightly"})


def test_the_same_bytes_are_the_same_trace(service: Service) -> None:
    first = service.upload(trace_file(), "one.txt", labels='{"a": "1", "b": "1"}')
    again = service.upload(trace_file(), "two.txt", name="Two", labels='{"b": "2", "c": "2"}')
    assert (first.status_code, again.status_code) == (202, 200)
    assert again.json()["id"] == first.json()["id"]
    assert again.json()["name"] == "one"
    assert again.json()["labels"] == {"a": "1", "b": "2", "c": "2"}
    assert len(service.stored_recordings()) == 1
    assert service.rows("SELECT count(*) FROM procrastinate_jobs") == [(1,)]


def test_the_same_bytes_at_once_are_one_trace(service: Service) -> None:
    codes: list[int] = []
    threads = [
        threading.Thread(target=lambda: codes.append(service.upload(trace_file()).status_code))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == [200] * 7 + [202]
    assert len(service.stored_recordings()) == 1
    assert service.rows("SELECT count(*) FROM procrastinate_jobs") == [(1,)]


def test_an_id_outlives_deletion(service: Service) -> None:
    first = service.upload(trace_file()).json()["id"]
    assert service.client.delete(f"/api/v1/traces/{first}").status_code == 204
    assert service.stored_files() == []
    assert service.client.get(f"/api/v1/traces/{first}").status_code == 404
    again = service.upload(trace_file())
    assert (again.status_code, again.json()["id"]) == (202, first)


def test_an_idempotency_key_stands_for_its_bytes(service: Service) -> None:
    headers = {"Idempotency-Key": "night-42"}
    post = service.client.post
    first = post("/api/v1/traces", headers=headers, content=trace_file())
    again = post("/api/v1/traces", headers=headers, content=trace_file())
    other = post("/api/v1/traces", headers=headers, content=trace_file(1))
    assert (first.status_code, again.status_code, other.status_code) == (202, 200, 422)
    assert first.json()["id"] == again.json()["id"]
    assert other.json()["code"] == "idempotency_key_reused"
    assert len(service.stored_recordings()) == 1


def test_an_empty_file_is_refused(service: Service) -> None:
    check_refused(service, b"", 422, "empty_file")


def test_what_is_no_recording_is_refused_with_a_place(service: Service) -> None:
    check_refused(service, b"<!doctype html><title>no</title>\n" * 40, 415, "unknown_format")
    problem = service.upload(b"<!doctype html>").json()
    assert (problem["line"], problem["byte_offset"]) == (1, 0)
    assert "trace-cmd report" in problem["remedy"]


def test_what_is_too_large_is_refused(make_service: ServiceMaker) -> None:
    service = make_service(max_upload_bytes=1000)
    check_refused(service, trace_file(), 413, "upload_too_large")
    check_refused(service, trace_file() * 1000, 413, "upload_too_large")


def test_a_stream_without_a_length_is_cut_at_the_limit(make_service: ServiceMaker) -> None:
    service = make_service(max_upload_bytes=1 << 20)
    lines = busy_lines(5_000)
    response = service.client.post("/api/v1/traces", content=(lines for _ in range(64)))
    assert (response.status_code, response.json()["code"]) == (413, "upload_too_large")
    assert service.stored_files() == []


def test_what_is_no_recording_is_refused_before_the_rest_of_it_arrives(service: Service) -> None:
    address = urlsplit(service.base_url)
    with socket.create_connection((address.hostname, address.port), timeout=30) as connection:
        head = f"POST /api/v1/traces HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Length: {2 << 30}\r\n\r\n"
        connection.sendall(head.encode() + b"junk" * (512 << 10))
        answer = b""
        while b"unknown_format" not in answer and (received := connection.recv(65_536)):
            answer += received
    assert answer.startswith(b"HTTP/1.1 415 ")
    assert b"unknown_format" in answer
    assert service.stored_files() == []


def test_a_full_disk_refuses_uploads_and_goes_on_reading(make_service: ServiceMaker) -> None:
    service = make_service(min_free_bytes=1 << 60, min_free_share_pct=100)
    check_refused(service, trace_file(), 507, "disk_full")
    assert service.client.get("/api/v1/traces").status_code == 200
    assert service.client.get("/readyz").json()["checks"]["disk"] == "almost full"


def test_an_encoded_body_is_refused(service: Service) -> None:
    headers = {"Content-Encoding": "gzip"}
    response = service.client.post("/api/v1/traces", headers=headers, content=trace_file())
    assert (response.status_code, response.json()["code"]) == (415, "content_encoding_refused")


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ("[]", "dict"),
        ('{"a": 1}', "a:"),
        ('{"": "x"}', "pattern"),
        ('{"a b": "x"}', "pattern"),
        ('{"a": "\\n"}', "pattern"),
        ("{", "JSON"),
    ],
)
def test_labels_that_are_none_are_refused(service: Service, labels: str, said: str) -> None:
    problem = service.upload(trace_file(), labels=labels).json()
    assert (problem["status"], problem["errors"][0]["parameter"]) == (422, "labels")
    assert said in problem["detail"]
    assert service.stored_files() == []


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no form at all",
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\ncut',
        b'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nno file\r\n--b--\r\n',
        b'--b\r\nContent-Disposition: form-data; name="other"\r\n\r\nx\r\n--b--\r\n',
        b"--b\r\nContent-Type: text/plain\r\n\r\nno name\r\n--b--\r\n",
        b"--b\r\nX: " + b"y" * 9_000 + b"\r\n\r\nlong\r\n--b--\r\n",
        b'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\n' + b"n" * 70_000 + b"\r\n--b--\r\n",
    ],
)
def test_a_form_that_is_none_is_refused(service: Service, body: bytes) -> None:
    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    response = service.client.post("/api/v1/traces", headers=headers, content=body)
    assert response.status_code == 422, response.text
    assert service.stored_files() == []


def test_a_hostile_filename_is_only_a_name(service: Service) -> None:
    hostile = '../../../../etc/cron.d/evil\r\nX-Injected: 1"<b>\u202e.txt'
    response = service.client.post("/api/v1/traces", params={"filename": hostile}, content=trace_file())
    trace = response.json()
    assert trace["filename"] == 'evilX-Injected: 1"<b>.txt'
    raw = service.client.get(f"/api/v1/traces/{trace['id']}/raw")
    assert raw.content == trace_file()
    assert raw.headers["content-type"] == "application/octet-stream"
    assert raw.headers["content-disposition"].startswith("attachment;")
    assert "x-injected" not in raw.headers


def test_a_client_that_goes_away_leaves_nothing(service: Service) -> None:
    host, port = service.base_url.removeprefix("http://").split(":")
    head = f"POST /api/v1/traces HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: 9000000\r\n\r\n"
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(head.encode() + b"x" * 2_000_000)
    until_gone(service)


def until_gone(service: Service) -> None:
    for _ in range(200):
        if not service.stored_files():
            return
        threading.Event().wait(0.05)
    raise AssertionError(f"still there: {service.stored_files()}")


def test_what_is_packed_twice_is_refused(service: Service) -> None:
    check_refused(service, gzip.compress(gzip.compress(trace_file())), 415, "nested_compression")


def test_the_web_server_itself_reads_no_upload(
    make_service: ServiceMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def explode(*_: object) -> None:
        raise AssertionError("the web server read an upload")

    monkeypatch.setattr(_ftrace, "sniff", explode)
    service = make_service()
    assert service.upload(trace_file()).status_code == 202
    assert service.upload(b"PERFILE2" + bytes(100)).status_code == 415
