"""Uploads that continue where they broke."""

import base64
import os
import socket
import threading
import time
from email.utils import parsedate_to_datetime
from pathlib import Path

import httpx2
import pytest

from jitterscope.store.blobs import BlobStore
from tests.api.service import Service, ServiceMaker, busy_lines, trace_file

UPLOADS = "/api/v1/uploads"
VERSION = {"Tus-Resumable": "1.0.0"}
BYTES = {"Content-Type": "application/offset+octet-stream"}


def metadata(**said: str) -> str:
    return ",".join(f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in said.items())


def announce(service: Service, size_bytes: int, **said: str) -> httpx2.Response:
    headers = {"Upload-Length": str(size_bytes), "Upload-Metadata": metadata(**said)}
    return service.client.post(UPLOADS, headers=VERSION | headers)


def announced(service: Service, size_bytes: int, **said: str) -> str:
    response = announce(service, size_bytes, **said)
    assert response.status_code == 201, response.text
    return response.headers["location"]


def append(service: Service, upload: str, offset: int, content: bytes) -> httpx2.Response:
    headers = {"Upload-Offset": str(offset)}
    return service.client.patch(upload, headers=VERSION | BYTES | headers, content=content)


def head(service: Service, upload: str) -> httpx2.Response:
    return service.client.head(upload, headers=VERSION)


def unfinished(service: Service) -> list[str]:
    folder = service.settings.store_folder / "unfinished"
    return sorted(path.name for path in folder.glob("*"))


def test_the_server_says_what_it_speaks(service: Service) -> None:
    response = service.client.options(UPLOADS)
    assert response.status_code == 204
    assert response.headers["tus-version"] == "1.0.0"
    assert response.headers["tus-extension"] == "creation,expiration,termination"
    assert int(response.headers["tus-max-size"]) == service.settings.max_upload_bytes


@pytest.mark.parametrize("parts", [1, 2, 7])
@pytest.mark.usefixtures("worker")
def test_parts_become_the_trace_that_the_whole_would(service: Service, parts: int) -> None:
    content = trace_file(parts) + busy_lines(30_000)
    trace_id = ""
    labels = '{"board": "rpi5"}'
    upload = announced(service, len(content), filename="spike.txt", name="Night 3", labels=labels)
    step = -(-len(content) // parts)
    for offset in range(0, len(content), step):
        assert head(service, upload).headers["upload-offset"] == str(offset)
        response = append(service, upload, offset, content[offset : offset + step])
        assert response.status_code == 204
        assert response.headers.get("jitterscope-trace-new") in (None, "true")
        trace_id = response.headers.get("jitterscope-trace", "")
    trace = service.wait(trace_id)
    assert (trace["status"], trace["name"], trace["labels"]) == ("ready", "Night 3", {"board": "rpi5"})
    assert trace["size_bytes"] == len(content)
    assert service.client.get(f"/api/v1/traces/{trace_id}/raw").content == content
    # The bytes by the other way are the same trace.
    assert service.upload(content).json()["id"] == trace_id


def test_the_offset_of_a_whole_upload_names_its_trace(service: Service) -> None:
    content = trace_file()
    upload = announced(service, len(content))
    trace_id = append(service, upload, 0, content).headers["jitterscope-trace"]
    # As a client asks that never got the answer.
    response = head(service, upload)
    assert response.headers["upload-offset"] == response.headers["upload-length"] == str(len(content))
    assert response.headers["jitterscope-trace"] == trace_id
    again = announced(service, len(content))
    assert append(service, again, 0, content).headers["jitterscope-trace-new"] == "false"


def test_what_came_before_a_break_need_not_come_again(service: Service) -> None:
    content = trace_file() + busy_lines(20_000)
    upload = announced(service, len(content))
    path = upload.removeprefix(service.base_url)
    request = (
        f"PATCH {path} HTTP/1.1\r\nHost: localhost\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n"
        f"Content-Type: application/offset+octet-stream\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    port = int(service.base_url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(request.encode() + content[:1_500_000])
        while stored(service, upload).stat().st_size == 0:
            time.sleep(0.01)
        # Another request for the same upload waits until this one is over.
        busy = append(service, upload, 0, b"x")
        assert (busy.status_code, busy.json()["code"]) == (423, "upload_busy")
        assert int(busy.headers["retry-after"]) > 0
        assert head(service, upload).status_code == 423
    offset = settled_offset(service, upload)
    assert offset == 1_500_000
    response = append(service, upload, offset, content[offset:])
    trace_id = response.headers["jitterscope-trace"]
    assert service.client.get(f"/api/v1/traces/{trace_id}/raw").content == content


def stored(service: Service, upload: str) -> Path:
    return service.settings.store_folder / "unfinished" / upload.rpartition("/")[2]


def settled_offset(service: Service, upload: str) -> int:
    """The offset, once nobody writes any more."""
    deadline = time.monotonic() + 20
    while (answer := head(service, upload)).status_code == 423:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return int(answer.headers["upload-offset"])


def test_two_who_send_the_same_part_do_not_both_write(service: Service) -> None:
    content = trace_file() + busy_lines(20_000)
    upload = announced(service, len(content) + 1)
    answers: list[int] = []

    def send() -> None:
        with httpx2.Client(base_url=service.base_url) as client:
            headers = VERSION | BYTES | {"Upload-Offset": "0"}
            answers.append(client.patch(upload, headers=headers, content=content).status_code)

    threads = [threading.Thread(target=send) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers.count(204) == 1
    assert set(answers) <= {204, 409, 423}
    assert head(service, upload).headers["upload-offset"] == str(len(content))


def test_a_whole_file_without_its_trace_becomes_one_when_it_is_asked_for(service: Service) -> None:
    content = trace_file()
    upload = announced(service, len(content))
    # A server that was killed after the last byte was written.
    stored(service, upload).write_bytes(content)
    trace_id = head(service, upload).headers["jitterscope-trace"]
    assert service.client.get(f"/api/v1/traces/{trace_id}/raw").content == content


def test_an_upload_whose_note_was_damaged_is_started_again(service: Service) -> None:
    upload = announced(service, 1000)
    # As a power cut may leave it.
    stored(service, upload).with_suffix(".json").write_bytes(b"")
    assert head(service, upload).status_code == 404
    assert append(service, upload, 0, b"x").status_code == 404


def test_what_is_no_recording_is_refused_before_the_rest_arrives(service: Service) -> None:
    upload = announced(service, 10 << 20)
    response = append(service, upload, 0, b"\x7fELF" + bytes(1 << 20))
    assert (response.status_code, response.headers["tus-resumable"]) == (415, "1.0.0")
    assert head(service, upload).status_code == 404
    assert unfinished(service) == []


def test_an_upload_can_be_cancelled(service: Service) -> None:
    upload = announced(service, 1000)
    append(service, upload, 0, trace_file()[:100])
    assert service.client.delete(upload, headers=VERSION).status_code == 204
    assert head(service, upload).status_code == 404
    assert service.client.delete(upload, headers=VERSION).status_code == 404
    assert unfinished(service) == []


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"Upload-Offset": "5"}, 409, "offset_mismatch"),
        ({"Content-Type": "application/octet-stream"}, 415, "wrong_content_type"),
        ({"Tus-Resumable": "0.2.2"}, 412, "protocol_version_refused"),
        ({"Upload-Offset": "-1"}, 422, "invalid_parameter"),
    ],
)
def test_wrong_parts_are_refused(service: Service, headers: dict[str, str], status: int, code: str) -> None:
    upload = announced(service, 1000)
    sent = VERSION | BYTES | {"Upload-Offset": "0"} | headers
    response = service.client.patch(upload, headers=sent, content=b"abc")
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert head(service, upload).headers["upload-offset"] == "0"


def test_more_than_announced_is_refused(service: Service) -> None:
    upload = announced(service, 10)
    response = append(service, upload, 0, b"# tracer: nop\n")
    assert (response.status_code, response.json()["code"]) == (413, "upload_too_large")


@pytest.mark.parametrize("upload_id", ["0" * 32, "%00", "ab", "0" * 31 + "Z"])
def test_unknown_uploads_are_not_found(service: Service, upload_id: str) -> None:
    for method in ("HEAD", "DELETE"):
        response = service.client.request(method, f"{UPLOADS}/{upload_id}", headers=VERSION)
        assert response.status_code == 404
    assert append(service, f"{UPLOADS}/{upload_id}", 0, b"x").status_code == 404


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("filename", "filename"),
        ("filename $$$", "Base64"),
        ("lable " + base64.b64encode(b"x").decode(), "lable"),
        ("labels " + base64.b64encode(b"[1]").decode(), "labels"),
        ("with " + base64.b64encode(b"nothere").decode(), "nothere"),
    ],
)
def test_wrong_metadata_is_refused(service: Service, said: str, word: str) -> None:
    headers = VERSION | {"Upload-Length": "10", "Upload-Metadata": said}
    response = service.client.post(UPLOADS, headers=headers)
    if said == "filename":
        # Without a value it is empty.
        assert response.status_code == 201
        return
    assert response.status_code == 422
    assert word in response.json()["detail"]
    assert unfinished(service) == []


def test_announcements_are_bounded(make_service: ServiceMaker) -> None:
    service = make_service(max_upload_bytes=1000, max_unfinished_uploads=2)
    assert announce(service, 1001).json()["code"] == "upload_too_large"
    assert announce(service, 0).json()["code"] == "empty_file"
    first = announced(service, 1000)
    announced(service, 1000)
    assert announce(service, 1000).json()["code"] == "too_many_uploads"
    service.client.delete(first, headers=VERSION)
    assert announce(service, 1000).status_code == 201


def test_a_broken_line_does_not_hold_an_upload_for_ever(make_service: ServiceMaker) -> None:
    service = make_service(upload_stall_seconds=0.3)
    upload = announced(service, 1000)
    path = upload.removeprefix(service.base_url)
    request = (
        f"PATCH {path} HTTP/1.1\r\nHost: localhost\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n"
        "Content-Type: application/offset+octet-stream\r\nContent-Length: 1000\r\n\r\n# tracer"
    )
    port = int(service.base_url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(request.encode())
        assert b" 408 " in connection.recv(100)
    assert settled_offset(service, upload) == 8


def test_what_nobody_continues_expires(make_service: ServiceMaker) -> None:
    service = make_service(unfinished_upload_seconds=60)
    old, fresh = announced(service, 1000), announced(service, 1000)
    append(service, old, 0, b"# tracer")
    files = BlobStore(service.settings).unfinished
    assert files.remove_expired(60) == 0
    for path in (service.settings.store_folder / "unfinished").glob(f"{old.rpartition('/')[2]}*"):
        os.utime(path, (time.time() - 61, time.time() - 61))
    assert files.remove_expired(60) == 1
    assert head(service, old).status_code == 404
    expires = parsedate_to_datetime(head(service, fresh).headers["upload-expires"]).timestamp()
    assert abs(expires - time.time() - 60) < 30
