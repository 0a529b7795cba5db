"""The stored files are the truth: a database that lost its rows gets them back, and deletes nothing."""

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psycopg

from jitterscope.store.blobs import MAX_SIDECAR_BYTES
from tests.api.recordings import wakeups
from tests.api.service import Service, ServiceMaker, running_worker, settings_for, trace_file
from tests.api.test_loading import until

DESCRIPTIONS = ("name", "filename", "labels", "created_at", "id", "sha256")


def described(service: Service) -> list[dict[str, object]]:
    """What people know of each trace, oldest first."""
    items = service.client.get("/api/v1/traces", params={"sort": "created_at"}).json()["items"]
    return [{name: item[name] for name in DESCRIPTIONS} for item in items]


def lose_database(service: Service) -> None:
    """As if the database had just been made."""
    with psycopg.connect(service.settings.conninfo) as connection:
        connection.execute("TRUNCATE trace, label, procrastinate_jobs, tombstone, idempotency_key CASCADE")


def fill(service: Service, count: int = 3) -> list[str]:
    """Ids of some traces with names and labels that people gave them."""
    ids = []
    for number in range(count):
        labels = json.dumps({"n": str(number), "where": "Labor Süd 🙂"})
        ids.append(service.upload(trace_file(number), f"run-{number}.txt", labels=labels).json()["id"])
    change = {"name": "renamed “later”", "labels": {"n": None, "board": "rpi5"}}
    assert service.client.patch(f"/api/v1/traces/{ids[0]}", json=change).status_code == 200
    return ids


def sidecar_of(service: Service, content: bytes) -> Path:
    sha256 = hashlib.sha256(content).hexdigest()
    return service.settings.store_folder / sha256[:2] / f"{sha256}.json"


def until_ready(service: Service, ids: list[str]) -> None:
    for trace_id in ids:
        until(
            lambda trace_id=trace_id: service.client.get(f"/api/v1/traces/{trace_id}").status_code == 200,  # type: ignore[misc]  # mypy does not infer a default of a lambda
            f"{trace_id} to be taken in",
        )
        assert service.wait(trace_id)["status"] == "ready"


def test_an_empty_database_gets_every_trace_back(service: Service) -> None:
    ids = fill(service)
    before = described(service)
    files = sorted(service.stored_files())
    lose_database(service)
    assert described(service) == []
    with running_worker(service.settings):
        until_ready(service, ids)
    assert described(service) == before
    assert sorted(service.stored_files()) == files


def test_two_workers_take_each_file_in_once(service: Service) -> None:
    ids = fill(service, 6)
    before = described(service)
    lose_database(service)
    with running_worker(service.settings), running_worker(service.settings):
        until_ready(service, ids)
    assert described(service) == before
    assert service.rows("SELECT count(*) FROM trace") == [(6,)]


def test_an_upload_of_a_file_that_is_about_to_be_taken_in_is_the_same_trace(service: Service) -> None:
    ids = fill(service, 6)
    lose_database(service)
    with running_worker(service.settings):
        codes = [service.upload(trace_file(number)).status_code for number in range(6)]
        until_ready(service, ids)
    assert set(codes) <= {200, 202}
    assert service.rows("SELECT count(*) FROM trace") == [(6,)]


DAMAGED: list[bytes | dict[str, object]] = [
    b"",
    b"{",
    b"[" * 100_000,
    b"\xff\xfe",
    b"null",
    b'{"version": 1}',
    b"x" * (MAX_SIDECAR_BYTES + 1),
    {"sha256": "0" * 64},
    {"size_bytes": 1},
    {"labels": {"a b": "1"}},
    {"labels": {"a": "1\u0000"}},
    {"labels": {f"l{n}": "1" for n in range(4097)}},
    {"name": "x" * 1001},
    {"name": "\ud800"},
    {"created_at": "0001-01-01T00:00:00+14:00"},
    {"created_at": "2026-01-01T00:00:00"},
    {"created_at": 1e300},
]


def test_damaged_descriptions_cost_only_themselves(service: Service) -> None:
    sidecars = []
    for number, damage in enumerate(DAMAGED):
        assert service.upload(trace_file(number), labels='{"a": "1"}').status_code == 202
        sidecars.append(spoil(sidecar_of(service, trace_file(number)), damage))
    lose_database(service)
    with running_worker(service.settings):
        until(lambda: len(described(service)) == len(DAMAGED), "the traces")
    for found in described(service):
        short = str(found["sha256"])[:12]
        assert (found["name"], found["filename"], found["labels"]) == (short, f"trace-{short}", {})
    assert all(json.loads(path.read_bytes())["name"] == path.name[:12] for path in sidecars)


def spoil(sidecar: Path, damage: bytes | dict[str, object]) -> Path:
    if isinstance(damage, bytes):
        sidecar.write_bytes(damage)
    else:
        sidecar.write_text(json.dumps(json.loads(sidecar.read_bytes()) | damage), encoding="ascii")
    return sidecar


def test_what_has_a_descriptions_name_and_is_none_is_not_waited_for(service: Service) -> None:
    replacements: list[Callable[[Path], None]] = [
        os.mkfifo,
        lambda path: path.symlink_to("/etc/passwd"),
        lambda path: None,
        # A folder cannot be replaced by a file; the others are taken in all the same.
        lambda path: path.mkdir(),
    ]
    # The folder comes first in the order in which files are taken in.
    contents = sorted(map(trace_file, range(4)), key=lambda content: hashlib.sha256(content).digest())[::-1]
    for content, replace in zip(contents, replacements, strict=True):
        service.upload(content)
        sidecar = sidecar_of(service, content)
        sidecar.unlink()
        replace(sidecar)
    lose_database(service)
    with running_worker(service.settings):
        until(lambda: len(described(service)) == 3, "the traces")
    for content in contents[:3]:
        sidecar = sidecar_of(service, content)
        assert sidecar.is_file()
        assert not sidecar.is_symlink()


def test_hostile_words_in_a_description_are_only_words(service: Service) -> None:
    service.upload(trace_file(), labels='{"a": "1"}')
    hostile: dict[str, object] = {
        "name": "\u202e<b>\u001b[31m",
        "filename": "../../etc/x\r\ny",
        "extra": {"a": []},
    }
    spoil(sidecar_of(service, trace_file()), hostile)
    lose_database(service)
    with running_worker(service.settings):
        (found,) = until(lambda: described(service), "the trace")
    assert (found["name"], found["filename"], found["labels"]) == ("<b>[31m", "xy", {"a": "1"})


def test_a_time_to_come_is_now(service: Service) -> None:
    service.upload(trace_file())
    spoil(sidecar_of(service, trace_file()), {"created_at": "2999-01-01T00:00:00Z"})
    lose_database(service)
    with running_worker(service.settings):
        until(lambda: described(service), "the trace")
    assert service.rows("SELECT created_at <= now() FROM trace") == [(True,)]


def test_a_file_whose_bytes_are_not_its_names_is_left_alone(service: Service) -> None:
    service.upload(trace_file())
    lose_database(service)
    (stored,) = service.stored_recordings()
    stored.write_bytes(b"#" + trace_file())
    other = service.upload(trace_file(1)).json()["id"]
    with running_worker(service.settings):
        service.wait(other)
        time.sleep(1)
    assert [found["id"] for found in described(service)] == [other]
    assert stored.exists()


def test_what_was_deleted_does_not_come_back(service: Service) -> None:
    """A crash between the deletion of the rows and that of the file leaves the file."""
    kept, deleted = fill(service, 2)
    contents = {path: path.read_bytes() for path in service.stored_files()}
    assert service.client.delete(f"/api/v1/traces/{deleted}").status_code == 204
    for path, content in contents.items():
        path.write_bytes(content)
    with running_worker(service.settings):
        assert service.wait(kept)["status"] == "ready"
        assert service.ready(trace_file(7))
    assert service.client.get(f"/api/v1/traces/{deleted}").status_code == 404
    # It is not older than a day.
    assert sorted(contents) == sorted(set(service.stored_files()) & set(contents))


def test_uploading_again_what_was_deleted_makes_it_a_trace_for_good(service: Service) -> None:
    (trace_id,) = fill(service, 1)
    assert service.client.delete(f"/api/v1/traces/{trace_id}").status_code == 204
    assert service.rows("SELECT count(*) FROM tombstone") == [(1,)]
    assert service.upload(trace_file(0)).json()["id"] == trace_id
    assert service.rows("SELECT count(*) FROM tombstone") == [(0,)]
    lose_database(service)
    with running_worker(service.settings):
        until_ready(service, [trace_id])


def test_a_shared_database_does_not_need_a_shared_folder(
    service: Service, database_url: str, tmp_path: Path
) -> None:
    """Another machine's worker knows the traces whose files it does not have, and takes in its own."""
    (here,) = fill(service, 1)
    elsewhere = settings_for(tmp_path / "elsewhere", database_url, {})
    content = wakeups([3, 4])
    sha256 = hashlib.sha256(content).hexdigest()
    folder = elsewhere.store_folder / sha256[:2]
    folder.mkdir(parents=True)
    (folder / sha256).write_bytes(content)
    with running_worker(elsewhere):
        found = until(lambda: [one for one in described(service) if one["sha256"] == sha256], "the trace")
        assert service.wait(str(found[0]["id"]))["status"] == "ready"
    # What the other one has given back is not claimed by it again.
    with running_worker(service.settings):
        assert service.wait(here)["status"] == "ready"


def test_labels_of_a_trace_are_bounded(service: Service) -> None:
    (trace_id,) = fill(service, 1)
    path = f"/api/v1/traces/{trace_id}"
    value = "🙂" * 200
    for start in (0, 60, 120, 180):
        labels = {f"label-{n}-{'x' * 40}": value for n in range(start, start + 60)}
        assert service.client.patch(path, json={"labels": labels}).status_code == 200
    refused = service.client.patch(path, json={"labels": {f"more{n}": "1" for n in range(64)}})
    assert (refused.status_code, refused.json()["errors"][0]["parameter"]) == (422, "labels")
    before = described(service)
    lose_database(service)
    with running_worker(service.settings):
        until_ready(service, [trace_id])
    assert described(service) == before


def test_descriptions_are_written_for_the_files_of_an_earlier_release(service: Service) -> None:
    ids = fill(service)
    written = {path: path.read_bytes() for path in service.stored_files() if path.suffix == ".json"}
    assert len(written) == len(ids)
    first, second, _ = written
    first.unlink()
    # As a crash between the description and the transaction leaves it.
    second.write_bytes(written[second].replace(b"run-", b"walk-"))
    with running_worker(service.settings):
        until(lambda: {path: path.read_bytes() for path in written if path.exists()} == written, "them all")


def test_partial_files_of_killed_uploads_go_at_the_start(make_service: ServiceMaker) -> None:
    service = make_service()
    arriving = service.settings.store_folder / "tmp"
    program = (
        "import sys, time; from pathlib import Path; from jitterscope.store.arriving import ArrivingFiles\n"
        "file = ArrivingFiles(Path(sys.argv[1])).create(); file.write(b'x' * 1000)\n"
        "print('written', flush=True); time.sleep(100)"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", program, str(arriving)], stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"written\n"
    writers[0].kill()
    writers[0].communicate()
    assert len(list(arriving.iterdir())) == 2
    # Another API on the same folder, while an upload is still being received by the first.
    make_service()
    assert len(list(arriving.iterdir())) == 1
    writers[1].kill()
    writers[1].communicate()
    make_service()
    assert list(arriving.iterdir()) == []


def test_files_from_another_machine_are_given_time(make_service: ServiceMaker) -> None:
    service = make_service()
    arriving = service.settings.store_folder / "tmp"
    fresh, old = arriving / "0123-fresh", arriving / "0123-old"
    for path in (fresh, old):
        path.write_bytes(b"x")
    os.utime(old, (time.time() - 3600, time.time() - 3600))
    make_service()
    assert list(arriving.iterdir()) == [fresh]
