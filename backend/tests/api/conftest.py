"""Services that tests talk to."""

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from jitterscope.embedded import EmbeddedPostgres
from jitterscope.store.migrate import upgrade_to_head
from tests.api.service import Service, ServiceMaker, client_of, running_worker, serving, settings_for


@pytest.fixture(scope="session")
def idle_service(postgres: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One API for all tests that leave nothing behind; nobody loads anything in it."""
    database_url = postgres.ensure_database("idle")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", database_url)
        upgrade_to_head()
    settings = settings_for(tmp_path_factory.mktemp("idle"), database_url, {})
    with serving(settings) as base_url, client_of(base_url) as client:
        yield Service(settings, client, base_url)


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
