"""Workers that die, hang or lose their database, and the work that they had begun."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from jitterscope.embedded import EmbeddedPostgres
from jitterscope.settings import Settings
from jitterscope.worker.health import is_alive
from tests.api.service import (
    Service,
    ServiceMaker,
    client_of,
    own_database,
    running_worker,
    serving,
    settings_for,
    start_worker,
    trace_file,
)
from tests.api.test_loading import is_gone, long_trace, parser_pid, until

SILENCE_SECONDS = 3


def test_traces_of_a_hung_worker_are_loaded_by_another(make_service: ServiceMaker) -> None:
    service = make_service(worker_silence_seconds=SILENCE_SECONDS, worker_concurrency=3)
    uploaded = [
        service.upload(long_trace().replace(b"eth0", b"eth%d" % number)).json()["id"] for number in range(3)
    ]
    hung = start_worker(service.settings)
    try:
        parser_pid(hung)
        # In the middle of its transactions, with rows that nobody else can write meanwhile.
        until(lambda: service.rows("SELECT FROM trace WHERE event_count > 100000"), "a load well under way")
        hung.send_signal(signal.SIGSTOP)
        with running_worker(service.settings):
            for trace_id in uploaded:
                assert service.wait(trace_id)["status"] == "ready"
        hung.send_signal(signal.SIGCONT)
        assert hung.wait(timeout=30) == os.EX_TEMPFAIL
    finally:
        hung.kill()
        hung.wait()
    assert service.rows("SELECT DISTINCT sum(count) FROM event_block GROUP BY trace_key") == [(400_005,)]


def test_a_trace_whose_job_was_lost_is_loaded(service: Service) -> None:
    trace_id = service.upload(trace_file()).json()["id"]
    service.rows("DELETE FROM procrastinate_jobs RETURNING 1")
    with running_worker(service.settings):
        assert service.wait(trace_id)["status"] == "ready"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lost")


def test_a_worker_that_loses_its_database_exits(folder: Path) -> None:
    alive = folder / "alive"
    with EmbeddedPostgres(folder / "postgres") as postgres:
        settings = settings_for(folder, own_database(postgres, "lost"), {"worker_health_file": alive})
        with serving(settings) as base_url, client_of(base_url) as client:
            service = Service(settings, client, base_url)
            worker = start_worker(settings)
            until(lambda: is_alive(settings), "a sign of life")
            trace_id = service.upload(long_trace()).json()["id"]
            parser = parser_pid(worker)
            os.kill(postgres_pid(settings), signal.SIGKILL)
            assert worker.wait(timeout=10) == os.EX_TEMPFAIL
            until(lambda: is_gone(parser), "the parser's end")
            assert not alive.exists()
    with EmbeddedPostgres(folder / "postgres") as postgres:
        settings = settings_for(folder, postgres.url("lost"), {})
        with serving(settings) as base_url, client_of(base_url) as client, running_worker(settings):
            began = time.monotonic()
            assert Service(settings, client, base_url).wait(trace_id)["status"] == "ready"
            assert time.monotonic() - began < 30


def postgres_pid(settings: Settings) -> int:
    """The server process of a test's own database."""
    return int(
        (settings.data.parent / "postgres").glob("[0-9]*/postmaster.pid").__next__().read_text().split()[0]
    )


@pytest.mark.parametrize("command", ["migrate", "worker"])
def test_what_needs_a_database_waits_for_it_and_then_says_so(tmp_path: Path, command: str) -> None:
    began = time.monotonic()
    environment = os.environ | {
        "DATABASE_URL": f"postgresql://someone:secret@/none?host={tmp_path}",
        "JITTERSCOPE_DATABASE_WAIT_SECONDS": "1",
        "JITTERSCOPE_DATA": str(tmp_path),
    }
    ended = subprocess.run(
        [sys.executable, "-m", "jitterscope", command],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert 1 < time.monotonic() - began < 10
    assert ended.returncode == 1
    last = ended.stderr.strip().splitlines()[-1]
    assert last.startswith("jitterscope: the database postgresql+psycopg://someone:***@/none")
    assert "within 1 s (JITTERSCOPE_DATABASE_WAIT_SECONDS)" in last
    assert ended.stderr.count("waiting_for_database") == 1
    assert "secret" not in ended.stderr
