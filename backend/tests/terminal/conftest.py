"""A service that answers through REST what the terminal is compared with."""

from collections.abc import Iterator

import pytest

from jitterscope.embedded import EmbeddedPostgres
from jitterscope.store.migrate import upgrade_to_head
from tests.api.service import Service, client_of, running_worker, serving, settings_for


@pytest.fixture(scope="package")
def service(postgres: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with one worker for all samples."""
    database_url = postgres.ensure_database("terminal")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", database_url)
        upgrade_to_head()
    settings = settings_for(tmp_path_factory.mktemp("terminal"), database_url, {})
    with serving(settings) as base_url, client_of(base_url) as client, running_worker(settings):
        yield Service(settings, client, base_url)


def without_links(answer: object) -> object:
    """An answer without what only a server has: addresses, and whether a sentence was made at load."""
    if isinstance(answer, dict):
        server = {"url", "is_explained", "curl"}
        return {name: without_links(value) for name, value in answer.items() if name not in server}
    return [without_links(one) for one in answer] if isinstance(answer, list) else answer
