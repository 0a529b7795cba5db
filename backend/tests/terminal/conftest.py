"""A service that answers through REST what the terminal is compared with."""

from collections.abc import Iterator

import pytest

from jitterscope.embedded import EmbeddedPostgres
from tests.api.service import Service, shared_service


@pytest.fixture(scope="package")
def service(postgres: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with one worker for all samples."""
    with shared_service(postgres, tmp_path_factory, "terminal") as service:
        yield service


def without_links(answer: object) -> object:
    """An answer without what only a server has: addresses, and whether a sentence was made at load."""
    if isinstance(answer, dict):
        server = {"url", "is_explained", "curl"}
        return {name: without_links(value) for name, value in answer.items() if name not in server}
    return [without_links(one) for one in answer] if isinstance(answer, list) else answer
