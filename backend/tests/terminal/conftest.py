"""A service that answers through REST what the terminal is compared with."""

from collections.abc import Iterator

import pytest
from pydantic import SecretStr

from jitterscope.embedded import EmbeddedPostgres
from jitterscope.embedded.roles import READER
from tests.api.service import Service, client_of, own_database, running_worker, serving, settings_for

_DATABASE = "terminal"


@pytest.fixture(scope="package")
def service(postgres: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with one worker for all samples, and with the role of people's SQL."""
    database_url = own_database(postgres, _DATABASE)
    reader: dict[str, object] = {"sql_database_url": SecretStr(postgres.url(_DATABASE, READER))}
    settings = settings_for(tmp_path_factory.mktemp(_DATABASE), database_url, reader)
    with serving(settings) as base_url, client_of(base_url) as client, running_worker(settings):
        yield Service(settings, client, base_url)


def without_links(answer: object) -> object:
    """An answer without what only a server has: addresses, and whether a sentence was made at load."""
    if isinstance(answer, dict):
        server = {"url", "is_explained", "curl"}
        return {name: without_links(value) for name, value in answer.items() if name not in server}
    return [without_links(one) for one in answer] if isinstance(answer, list) else answer
