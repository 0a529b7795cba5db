"""Services that tests talk to."""

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from jitterscope.embedded import EmbeddedPostgres
from tests.api.recordings import wakeups
from tests.api.service import (
    Service,
    ServiceMaker,
    busy_lines,
    client_of,
    own_database,
    running_worker,
    serving,
    settings_for,
    shared_service,
    trace_file,
)
from tests.api.statements import serving_people


@pytest.fixture(scope="session")
def idle_service(postgres: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One API for all tests that leave nothing behind; it has no worker."""
    settings = settings_for(tmp_path_factory.mktemp("idle"), own_database(postgres, "idle"), {})
    with serving(settings) as base_url, client_of(base_url) as client:
        yield Service(settings, client, base_url)


@pytest.fixture(scope="session")
def working_service(
    postgres: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    """One API with a worker for all tests that look at traces of their own only."""
    with shared_service(postgres, tmp_path_factory, "working") as service:
        yield service


@pytest.fixture(scope="session")
def people(postgres: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One API with a worker that runs SQL of people, with low limits."""
    with serving_people(postgres, tmp_path_factory) as service:
        yield service


@pytest.fixture(scope="session")
def trace(people: Service) -> str:
    """Thirty wakeups of 1 to 30 us in a mixed order, labelled `board`."""
    return people.ready(wakeups([n * 7 % 31 for n in range(1, 31)]), labels='{"board": "rpi5"}')


@pytest.fixture
def make_service(database_url: str, tmp_path: Path) -> Iterator[ServiceMaker]:
    """Starts an API with the settings that a test needs."""
    with contextlib.ExitStack() as stack:

        def make(**overrides: object) -> Service:
            settings = settings_for(tmp_path, database_url, overrides)
            base_url = stack.enter_context(serving(settings))
            return Service(settings, stack.enter_context(client_of(base_url)), base_url)

        yield make


@pytest.fixture
def service(make_service: ServiceMaker) -> Service:
    return make_service()


@pytest.fixture
def worker(service: Service) -> Iterator[subprocess.Popen[bytes]]:
    """A worker process beside `service`."""
    with running_worker(service.settings) as process:
        yield process


@pytest.fixture(scope="session")
def ready_trace(working_service: Service) -> tuple[Service, str]:
    """A trace of a thousand and some events that tests only look at, and the service that has it."""
    return working_service, working_service.ready(trace_file() + busy_lines(1000))


@pytest.fixture(scope="session")
def waiting_trace(working_service: Service) -> tuple[Service, str]:
    """Thirty wakeups of 1 to 30 us in a mixed order, and the service that has them."""
    return working_service, working_service.ready(wakeups([n * 7 % 31 for n in range(1, 31)]))
