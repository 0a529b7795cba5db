"""Backing up, restoring and checking, by the commands that people give."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from jitterscope.embedded import EmbeddedPostgres
from tests.api.recordings import wakeups
from tests.api.service import (
    Service,
    ServiceMaker,
    client_of,
    own_database,
    running_worker,
    serving,
    settings_for,
    trace_file,
)
from tests.api.test_adoption import described, fill, sidecar_of

COMMAND_SECONDS = 120


def command(service: Service, *arguments: str, data: Path | None = None) -> subprocess.CompletedProcess[str]:
    """What a command answered, with its exit code."""
    return subprocess.run(
        [sys.executable, "-m", "jitterscope", *arguments, "--data", str(data or service.settings.data)],
        env=environment_of(service),
        capture_output=True,
        text=True,
        timeout=COMMAND_SECONDS,
        check=False,
    )


def environment_of(service: Service) -> dict[str, str]:
    return os.environ | {"DATABASE_URL": service.settings.database_url.get_secret_value()}


def must(done: subprocess.CompletedProcess[str]) -> str:
    # Nothing of the log of a service.
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return done.stdout


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def elsewhere(postgres: EmbeddedPostgres, tmp_path: Path) -> Service:
    """An empty folder and an empty database on another machine; nothing runs there yet."""
    database_url = own_database(postgres, f"elsewhere_{tmp_path.name}")
    return Service(
        settings_for(tmp_path / "elsewhere", database_url, {}), client_of("http://127.0.0.1:1"), ""
    )


def answers(service: Service, ids: list[str]) -> dict[str, object]:
    """What the permalinks show."""
    found: dict[str, object] = {}
    for trace_id in ids:
        path = f"/api/v1/traces/{trace_id}"
        trace = service.client.get(path).json()
        found[trace_id] = {name: value for name, value in trace.items() if name not in ("ready_at", "url")}
        for part in ("events", "timeline", "latencies/kinds", "event-types", "raw"):
            # Permalinks are absolute, and the two servers have different addresses.
            answer = service.client.get(f"{path}/{part}").content
            found[f"{trace_id}/{part}"] = answer.replace(service.base_url.encode(), b"")
    return found


def test_a_restored_backup_gives_the_same_answers(
    service: Service, worker: subprocess.Popen[bytes], elsewhere: Service, tmp_path: Path
) -> None:
    ids = [*fill(service), service.ready(wakeups([5, 90, 7]), "late.txt")]
    for trace_id in ids:
        assert service.wait(trace_id)["status"] == "ready"
    folder = tmp_path / "backup"
    assert "4 traces are backed up" in must(command(service, "backup", str(folder)))
    must(command(service, "verify", str(folder)))
    must(command(service, "verify"))
    assert "4 traces are restored" in must(command(elsewhere, "restore", str(folder)))
    must(command(elsewhere, "verify"))
    with serving(elsewhere.settings) as base_url, client_of(base_url) as client:
        there = Service(elsewhere.settings, client, base_url)
        with running_worker(there.settings):
            for trace_id in ids:
                assert there.wait(trace_id)["status"] == "ready"
        assert described(there) == described(service)
        assert answers(there, ids) == answers(service, ids)
    assert files_of(there.settings.store_folder) == files_of(service.settings.store_folder)
    # Given again, it changes nothing.
    must(command(elsewhere, "restore", str(folder)))
    assert worker.poll() is None


def test_what_people_saved_is_restored(service: Service, elsewhere: Service, tmp_path: Path) -> None:
    comparison = {"measure": {"kind": "irq"}, "variants": [{"name": "a", "labels": {"side": "b"}}]}
    path = "/api/v1/experiments"
    for name in ("Kept", "Deleted"):
        saved = {"name": name, "note": "n", "comparison": comparison, "view": {"form": "shelves"}}
        assert service.client.post(path, json=saved).status_code == 201
    baseline = {"name": "Green", "note": "n", "variant": {"labels": {"side": "b"}}, "where": {"comm": "rt"}}
    assert service.client.post("/api/v1/baselines", json=baseline).status_code == 201
    fill(service)
    folder = tmp_path / "backup"
    must(command(service, "backup", str(folder)))
    must(command(elsewhere, "restore", str(folder)))
    with serving(elsewhere.settings) as base_url, client_of(base_url) as client:
        there, here = (one.get(f"{path}/kept").json() for one in (client, service.client))
        assert there | {"url": ""} == here | {"url": ""}
        there, here = (one.get("/api/v1/baselines/green").json() for one in (client, service.client))
        assert (there["slug"], there["variant"], there["where"]) == ("green", here["variant"], here["where"])
        assert (there["created_at"], there["note"]) == (here["created_at"], "n")
        assert client.delete(f"{path}/deleted").status_code == 204
        must(command(elsewhere, "restore", str(folder)))
        assert [one["slug"] for one in client.get(path).json()["items"]] == ["kept"]


def test_a_second_backup_copies_only_what_is_new(service: Service, tmp_path: Path) -> None:
    fill(service, 3)
    folder = tmp_path / "backup"
    assert "3 files" in must(command(service, "backup", str(folder)))
    before = {path: path.stat().st_mtime_ns for path in (folder / "store").rglob("*") if path.is_file()}
    (added,) = fill(service, 4)[3:]
    assert service.client.patch(f"/api/v1/traces/{added}", json={"name": "later"}).status_code == 200
    assert "; 1 files" in must(command(service, "backup", str(folder)))
    after = {path: path.stat().st_mtime_ns for path in (folder / "store").rglob("*") if path.is_file()}
    assert len(after) == 4
    assert before.items() <= after.items()
    assert '"name": "later"' in (folder / "manifest.json").read_text()


def test_what_was_deleted_is_not_restored(service: Service, elsewhere: Service, tmp_path: Path) -> None:
    kept, deleted = fill(service, 2)
    folder = tmp_path / "backup"
    must(command(service, "backup", str(folder)))
    assert service.client.delete(f"/api/v1/traces/{deleted}").status_code == 204
    must(command(service, "backup", str(folder)))
    verified = must(command(service, "verify", str(folder)))
    must(command(elsewhere, "restore", str(folder)))
    assert elsewhere.rows("SELECT id FROM trace") == [(kept,)]
    # Unless it is asked for.
    earlier = re.findall(r"backup (\S+): 2 traces", verified)
    must(command(elsewhere, "restore", str(folder), "--snapshot", *earlier))
    assert elsewhere.rows("SELECT id FROM trace ORDER BY id") == sorted([(kept,), (deleted,)])


def test_old_backups_go_with_what_only_they_need(service: Service, tmp_path: Path) -> None:
    _, deleted = fill(service, 2)
    folder = tmp_path / "backup"
    must(command(service, "backup", str(folder), "--keep", "2"))
    assert service.client.delete(f"/api/v1/traces/{deleted}").status_code == 204
    assert "2 backups are kept; 0 and 0 files" in must(command(service, "backup", str(folder), "--keep", "2"))
    assert "2 backups are kept; 1 and 1 files" in must(command(service, "backup", str(folder), "--keep", "2"))
    assert "1 traces checked: 0 problems" in must(command(service, "verify", str(folder)))


def test_a_backup_of_nothing_removes_nothing(service: Service, elsewhere: Service, tmp_path: Path) -> None:
    fill(service, 2)
    folder = tmp_path / "backup"
    must(command(service, "backup", str(folder)))
    # The wrong data folder, or one that was lost.
    elsewhere.settings.store_folder.mkdir(parents=True)
    said = must(command(elsewhere, "backup", str(folder), "--keep", "1"))
    assert "earlier backups are all kept, since this one is empty" in said
    assert "2 traces checked: 0 problems" in must(command(service, "verify", str(folder)))


def test_a_backup_says_what_it_could_not_have(service: Service, tmp_path: Path) -> None:
    fill(service, 3)
    missing, damaged, _ = service.stored_recordings()
    missing.unlink()
    damaged.write_bytes(b"rotten")
    folder = tmp_path / "backup"
    done = command(service, "backup", str(folder))
    assert done.returncode == 1
    assert f"({missing.name}) is not in the backup: its file is missing; upload it again" in done.stdout
    assert f"({damaged.name}) is not in the backup: its file is damaged; upload it again" in done.stdout
    assert "1 traces are backed up" in done.stdout
    assert command(service, "verify", str(folder)).returncode == 1


def test_verify_names_everything_that_is_wrong(service: Service) -> None:
    fill(service, 5)
    assert "5 traces checked: 0 problems" in must(command(service, "verify"))
    missing, damaged, renamed, lost, whole = sorted(service.stored_recordings())
    missing.unlink()
    # One bit of one byte, and the same size.
    content = bytearray(damaged.read_bytes())
    content[100] ^= 1
    damaged.write_bytes(content)
    sidecar = Path(f"{renamed}.json")
    sidecar.write_bytes(sidecar.read_bytes().replace(b'"name": "', b'"name": "not '))
    Path(f"{lost}.json").unlink()
    strange = service.settings.store_folder / "ab" / ("ab" * 32)
    strange.parent.mkdir(exist_ok=True)
    strange.write_bytes(b"not these bytes")
    done = command(service, "verify")
    assert done.returncode == 1
    for path, said in (
        (missing, "its file is missing"),
        (damaged, "its file is damaged"),
        (renamed, "does not say what the database says"),
        (lost, "does not say what the database says"),
        (strange, "belongs to no trace and is damaged"),
    ):
        assert [line for line in done.stdout.splitlines() if path.name in line and said in line], (path, said)
    assert whole.name not in done.stdout
    assert "5 problems" in done.stdout.replace("traces checked: 4", "traces checked: 5")


@pytest.mark.parametrize("spoil", ["cut", "byte", "gone", "manifest"])
def test_verify_finds_damage_in_a_backup(service: Service, tmp_path: Path, spoil: str) -> None:
    fill(service, 2)
    folder = tmp_path / "backup"
    must(command(service, "backup", str(folder)))
    stored = next(path for path in (folder / "store").rglob("*") if path.is_file())
    content = stored.read_bytes()
    if spoil == "cut":
        stored.write_bytes(content[:-1])
    elif spoil == "byte":
        stored.write_bytes(b"!" + content[1:])
    elif spoil == "gone":
        stored.unlink()
    else:
        manifest = folder / "manifest.json"
        manifest.write_bytes(manifest.read_bytes().replace(b"rpi5", b"rpi6"))
    done = command(service, "verify", str(folder))
    assert done.returncode == 1
    if spoil in ("cut", "gone", "manifest"):
        # What is missing or has another size is copied again.
        must(command(service, "backup", str(folder)))
        must(command(service, "verify", str(folder)))


def test_a_target_that_is_not_empty_is_refused(service: Service, elsewhere: Service, tmp_path: Path) -> None:
    fill(service, 2)
    folder = tmp_path / "backup"
    must(command(service, "backup", str(folder)))
    done = command(service, "restore", str(folder))
    assert done.returncode == 1
    assert "restore into an empty folder (--data DIR)" in done.stderr
    # Files alone are something, too.
    content = wakeups([1])
    stray = sidecar_of(elsewhere, content).with_suffix("")
    stray.parent.mkdir(parents=True)
    stray.write_bytes(content)
    assert "hold 1 recordings" in command(elsewhere, "restore", str(folder)).stderr


def test_a_database_that_does_not_fit_is_named(service: Service, tmp_path: Path) -> None:
    fill(service, 1)
    service.rows("UPDATE alembic_version SET version_num = '0008_buffers' RETURNING 1")
    for arguments in (("backup", str(tmp_path / "backup")), ("verify",)):
        done = command(service, *arguments)
        assert done.returncode == 1
        assert "bring it up to date first with: jitterscope migrate" in done.stderr
    unreachable = subprocess.run(
        [sys.executable, "-m", "jitterscope", "verify", "--data", str(service.settings.data)],
        env=environment_of(service) | {"DATABASE_URL": "postgresql://127.0.0.1:1/nothing"},
        capture_output=True,
        text=True,
        timeout=COMMAND_SECONDS,
        check=False,
    )
    assert unreachable.returncode == 1
    assert unreachable.stderr.startswith("jitterscope: the database does not answer")


@pytest.mark.parametrize("arguments", [("restore",), ("verify",)])
def test_a_folder_without_a_backup_is_named(service: Service, tmp_path: Path, arguments: tuple[str]) -> None:
    done = command(service, *arguments, str(tmp_path / "nothing"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("jitterscope: ")
    assert "holds no finished backup" in done.stderr
    assert "Traceback" not in done.stderr


def test_settings_are_kept_without_secrets(service: Service, elsewhere: Service, tmp_path: Path) -> None:
    fill(service, 1)
    folder = tmp_path / "backup"
    variables = environment_of(service) | {"JITTERSCOPE_MAX_DEPTH": "77"}
    must(
        subprocess.run(
            [
                sys.executable,
                "-m",
                "jitterscope",
                "backup",
                str(folder),
                "--data",
                str(service.settings.data),
            ],
            env=variables,
            capture_output=True,
            text=True,
            timeout=COMMAND_SECONDS,
            check=False,
        )
    )
    text = (folder / "manifest.json").read_text()
    assert json.loads(text.partition("\n")[2])["settings"] == {"JITTERSCOPE_MAX_DEPTH": "77"}
    assert "postgresql://" not in text
    assert "JITTERSCOPE_MAX_DEPTH=77; set it" in must(command(elsewhere, "restore", str(folder)))


def test_both_survive_being_killed(service: Service, elsewhere: Service, tmp_path: Path) -> None:
    """At the moments at which files appear, of which there are more than of any other."""
    for number in range(6):
        service.upload(trace_file(number), f"{number}.txt", labels='{"a": "1"}')
    folder = tmp_path / "backup"
    killed = kill_when(service, ("backup", str(folder)), lambda: len(list(folder.rglob("*"))) > 6)
    assert killed or (folder / "manifest.json").exists()
    must(command(service, "backup", str(folder)))
    must(command(service, "verify", str(folder)))
    store = elsewhere.settings.store_folder
    kill_when(elsewhere, ("restore", str(folder)), lambda: len(list(store.glob("*/*.json"))) > 2)
    must(command(elsewhere, "restore", str(folder)))
    must(command(elsewhere, "verify"))
    assert files_of(store) == files_of(service.settings.store_folder)
    assert elsewhere.rows("SELECT count(*) FROM trace") == [(6,)]


def kill_when(service: Service, arguments: tuple[str, ...], moment: Callable[[], bool]) -> bool:
    """Whether a command was killed at that moment, before its end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "jitterscope", *arguments, "--data", str(service.settings.data)],
        env=environment_of(service),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    give_up = time.monotonic() + COMMAND_SECONDS
    while process.poll() is None and time.monotonic() < give_up:
        if moment():
            process.send_signal(signal.SIGKILL)
            break
    return process.wait(COMMAND_SECONDS) == -signal.SIGKILL


def test_a_store_copied_while_it_is_used_is_enough(
    make_service: ServiceMaker, worker: subprocess.Popen[bytes], elsewhere: Service
) -> None:
    service = make_service()
    ids = fill(service)
    shutil.copytree(service.settings.store_folder, elsewhere.settings.store_folder)
    with serving(elsewhere.settings) as base_url, client_of(base_url) as client:
        there = Service(elsewhere.settings, client, base_url)
        with running_worker(there.settings):
            for trace_id in ids:
                while there.client.get(f"/api/v1/traces/{trace_id}").status_code == 404:
                    time.sleep(0.05)
                assert there.wait(trace_id)["status"] == "ready"
        assert described(there) == described(service)
    assert worker.poll() is None
