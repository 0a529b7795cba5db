"""Starts everything in order, watches it, and stops it in the reverse order."""

import asyncio
import json
import os
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from jitterscope.embedded import DATABASE, EmbeddedPostgres
from jitterscope.embedded.roles import READER
from jitterscope.ingest.confined_child import ChildFailed
from jitterscope.ingest.walls import describe_walls, standing_walls
from jitterscope.run.database import DatabasePart
from jitterscope.run.probe import Ask, Probe, ask_database, ask_web_server
from jitterscope.run.processes import ServiceProcess
from jitterscope.run.samples import upload_samples
from jitterscope.run.signs_of_life import Pulse
from jitterscope.run.stopping import Stopping, StopRequested, in_another_thread
from jitterscope.run.supervisor import Part, Supervisor
from jitterscope.settings import Settings

POLL_SECONDS = 0.1
READY_SECONDS = 60.0


def run_service(settings: Settings, *, with_samples: bool) -> int:
    """The exit code, after the service has stopped: 0 if it was asked to.

    Raises: EmbeddedPostgresError if the database cannot run here.
    """
    stopping = Stopping()
    try:
        with ExitStack() as stack:
            return _serve(settings, stack, stopping, with_samples)
    except StopRequested:
        _say("stopped")
        return 0


def _serve(settings: Settings, stack: ExitStack, stopping: Stopping, with_samples: bool) -> int:
    if _is_taken(settings.host, settings.port):
        _say(f"port {settings.port} is in use; choose another with --port or JITTERSCOPE_PORT")
        return 1
    postgres = None
    if "DATABASE_URL" not in os.environ:
        postgres = stack.enter_context(EmbeddedPostgres(settings.data / "postgres"))
        os.environ["DATABASE_URL"] = postgres.ensure_database(DATABASE)
        os.environ.setdefault("JITTERSCOPE_SQL_DATABASE_URL", postgres.url(DATABASE, READER))
    logs = settings.data / "logs"
    # It loads its code while the schema is brought up to date, and says that it is not ready until then.
    api = stack.enter_context(_web_server(settings, logs))
    _migrate()
    worker = stack.enter_context(_worker(settings, logs))
    address = _wait_until_ready(settings, api)
    if address is None:
        _say(f"the web server did not start; the end of {api.log_path}:\n{api.end_of_log()}")
        return 1
    # Tools that start the service wait for this line.
    _say(f"Jitterscope is at {settings.base_url or address}")
    _say_walls()
    if with_samples:
        _load_samples(settings, address)
    return _watch([*([_database(settings, postgres)] if postgres else []), api, worker], stopping)


def _database(settings: Settings, server: EmbeddedPostgres) -> DatabasePart:
    return DatabasePart(server, _probe(settings, ask_database(server.url)))


def _web_server(settings: Settings, logs: Path) -> ServiceProcess:
    probe = _probe(settings, ask_web_server(_reachable(settings.host), settings.port))
    return ServiceProcess("api", os.environ, logs, name="the web server", signs=probe)


def _probe(settings: Settings, ask: Ask) -> Probe:
    return Probe(ask, settings.probe_seconds, settings.missed_probes)


def _worker(settings: Settings, logs: Path) -> ServiceProcess:
    pulse = logs / "worker.alive"
    return ServiceProcess(
        "worker",
        os.environ | {"JITTERSCOPE_WORKER_HEALTH_FILE": str(pulse.resolve())},
        logs,
        name="the worker",
        signs=Pulse(pulse, settings.worker_silence_seconds),
    )


def _migrate() -> None:
    # Here, since importing Alembic takes as long as starting PostgreSQL.
    from jitterscope.store.migrate import upgrade_to_head
    from jitterscope.store.wait import wait_for_database

    wait_for_database(Settings())
    upgrade_to_head()


def _say_walls() -> None:
    try:
        _say(describe_walls(in_another_thread(lambda: asyncio.run(standing_walls()))))
    except ChildFailed as error:
        _say(f"no process can be started that reads uploaded files: {error}")


def _watch(parts: Sequence[Part], stopping: Stopping) -> int:
    """Returns when the service cannot continue: a part never worked."""
    supervisor = Supervisor(_say)
    supervisor.watch(parts, time.monotonic())
    while supervisor.look(time.monotonic()):
        stopping.check()
        time.sleep(POLL_SECONDS)
    return 1


def _is_taken(host: str, port: int) -> bool:
    """Whether another program listens there: with two of them, we would believe the wrong one's answers."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return True
    return False


def _wait_until_ready(settings: Settings, api: ServiceProcess) -> str | None:
    """The address at which the web server answers from here, or None if it never did."""
    host = _reachable(settings.host)
    address = f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"
    deadline = time.monotonic() + READY_SECONDS
    while api.exit_code() is None and time.monotonic() < deadline:
        if _can_read(address):
            return address
        time.sleep(POLL_SECONDS)
    return None


def _reachable(host: str) -> str:
    """Where a server that listens at `host` is reached from here."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared only


def _can_read(address: str) -> bool:
    """Whether traces can be shown; a service whose disk is almost full is not ready, but can do that."""
    try:
        with urllib.request.urlopen(f"{address}/readyz", timeout=5) as answer:  # noqa: S310 - http
            readiness = json.load(answer)
    except urllib.error.HTTPError as not_ready:
        readiness = json.load(not_ready)
    except OSError:
        return False
    return bool(readiness["checks"]["schema"] == "ok")


def _load_samples(settings: Settings, address: str) -> None:
    try:
        for sentence in upload_samples(address, settings.data / "samples-loaded", settings.store_folder):
            _say(sentence)
    except OSError as error:
        _say(f"the sample traces were not loaded: {error}")


def _say(sentence: str) -> None:
    print(sentence, flush=True)
