"""A running service: the API in a thread of the test, and a worker process where a test asks for one."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx2
import psycopg
import pytest
import uvicorn
from pydantic import SecretStr

from jitterscope.api.connections import server_config
from jitterscope.embedded import EmbeddedPostgres
from jitterscope.main import create_app
from jitterscope.settings import Settings
from jitterscope.store.migrate import upgrade_to_head

START_SECONDS = 20
READY_SECONDS = 60

# Two CPUs, a switch, an interrupt and a wakeup, as tracefs prints them.
TRACE = b"""# tracer: nop
#
# entries-in-buffer/entries-written: 5/5   #P:2
#
#                                _-----=> irqs-off/BH-disabled
#                               / _----=> need-resched
#                              | / _---=> hardirq/softirq
#                              || / _--=> preempt-depth
#                              ||| / _-=> migrate-disable
#                              |||| /     delay
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
          <idle>-0       [000] d..2.   100.000010: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
              rt-9       [000] d.h1.   100.000020: irq_handler_entry: irq=24 name=eth0
              rt-9       [000] d.h1.   100.000035: irq_handler_exit: irq=24 ret=handled
          <idle>-0       [001] dN.2.   100.000040: sched_waking: comm=sh pid=7 prio=120 target_cpu=001
              rt-9       [000] d..2.   100.000050: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
"""  # noqa: E501 (lines of a real file are as long as they are)


def trace_file(number: int = 0) -> bytes:
    """A small recording; each number gives other bytes."""
    return TRACE.replace(b"eth0", b"eth%d" % number)


def busy_lines(count: int) -> bytes:
    """More events for the end of the recording: one CPU wakes somebody every microsecond."""
    line = (
        b"              sh-7       [000] d..2. %d.%06d: sched_waking: comm=rt pid=9 prio=89 target_cpu=000\n"
    )
    return b"".join(line % (101 + n // 1_000_000, n % 1_000_000) for n in range(count))


@dataclass
class Service:
    """A running API and what a test needs to look behind it."""

    settings: Settings
    client: httpx2.Client
    base_url: str

    def upload(self, content: bytes, filename: str = "spike.txt", **form: str) -> httpx2.Response:
        return self.client.post("/api/v1/traces", files={"file": (filename, content)}, data=form)

    def wait(self, trace_id: str) -> dict[str, object]:
        """The trace once its state is final."""
        response = self.client.get(f"/api/v1/traces/{trace_id}", params={"wait": READY_SECONDS})
        assert response.json()["status"] in ("ready", "failed"), response.text
        found: dict[str, object] = response.json()
        return found

    def ready(self, content: bytes, filename: str = "spike.txt", **form: str) -> str:
        """Id of a trace that was uploaded and loaded."""
        trace_id = str(self.upload(content, filename, **form).json()["id"])
        found = self.wait(trace_id)
        assert found["status"] == "ready", found["error"]
        return trace_id

    def rows(self, query: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.settings.conninfo, autocommit=True) as connection:
            return connection.execute(query.encode()).fetchall()

    def stored_files(self) -> list[Path]:
        """Every file below the store: recordings, their descriptions, and what is arriving."""
        return [path for path in self.settings.store_folder.rglob("*") if path.is_file()]

    def stored_recordings(self) -> list[Path]:
        return [path for path in self.stored_files() if re.fullmatch("[0-9a-f]{64}", path.name)]


ServiceMaker = Callable[..., Service]


def start_worker(settings: Settings) -> subprocess.Popen[bytes]:
    told = settings.model_dump(
        exclude={"database_url", "sql_database_url", "base_url", "allowed_hosts"}, exclude_none=True
    )
    variables = {f"JITTERSCOPE_{name.upper()}": str(value) for name, value in told.items()}
    environment = os.environ | variables | {"DATABASE_URL": settings.database_url.get_secret_value()}
    return subprocess.Popen([sys.executable, "-m", "jitterscope.worker"], env=environment)


@contextlib.contextmanager
def running_worker(settings: Settings) -> Iterator[subprocess.Popen[bytes]]:
    process = start_worker(settings)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=START_SECONDS)


def settings_for(folder: Path, database_url: str, overrides: dict[str, object]) -> Settings:
    base = {"data": folder / "data", "frontend": folder / "no-front-end", "max_wait_seconds": READY_SECONDS}
    return Settings.model_validate(base | {"database_url": SecretStr(database_url)} | overrides)


def client_of(base_url: str) -> httpx2.Client:
    return httpx2.Client(base_url=base_url, timeout=100, trust_env=False)


def own_database(postgres: EmbeddedPostgres, name: str) -> str:
    """The address of a migrated database for a service that many tests share."""
    database_url = postgres.ensure_database(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", database_url)
        upgrade_to_head()
    return database_url


@contextlib.contextmanager
def shared_service(
    postgres: EmbeddedPostgres, folders: pytest.TempPathFactory, name: str
) -> Iterator[Service]:
    """An API with a worker, and a folder and a database of that name, for all tests that share it."""
    settings = settings_for(folders.mktemp(name), own_database(postgres, name), {})
    with serving(settings) as base_url, client_of(base_url) as client, running_worker(settings):
        yield Service(settings, client, base_url)


@contextlib.contextmanager
def serving(settings: Settings) -> Iterator[str]:
    """The address of the API with these settings."""
    config = server_config(create_app(settings), settings, log_config=None, timeout_graceful_shutdown=1)
    with served(config) as address:
        yield address


@contextlib.contextmanager
def served(config: uvicorn.Config) -> Iterator[str]:
    """The address of an application that a thread of this process serves."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            until = time.monotonic() + START_SECONDS
            while not server.started:
                assert thread.is_alive(), "the service did not start"
                assert time.monotonic() < until, "the service takes too long to start"
                time.sleep(0.01)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            thread.join(START_SECONDS)
