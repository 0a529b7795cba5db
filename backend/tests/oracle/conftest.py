"""One service with a worker for all recordings that the oracle reads, too."""

from collections.abc import Iterator

import pytest

from jitterscope.embedded import EmbeddedPostgres
from jitterscope.store.migrate import upgrade_to_head
from tests.api.service import Service, client_of, running_worker, serving, settings_for


@pytest.fixture(scope="session")
def service(postgres: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    database_url = postgres.ensure_database("oracle")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", database_url)
        upgrade_to_head()
    settings = settings_for(tmp_path_factory.mktemp("oracle"), database_url, {})
    with serving(settings) as base_url, client_of(base_url) as client, running_worker(settings):
        yield Service(settings, client, base_url)
