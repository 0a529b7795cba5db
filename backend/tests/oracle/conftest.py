"""One service with a worker for all recordings that the oracle reads, too."""

from collections.abc import Iterator

import pytest

from jitterscope.embedded import EmbeddedPostgres
from tests.api.service import Service, shared_service


@pytest.fixture(scope="session")
def service(postgres: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with shared_service(postgres, tmp_path_factory, "oracle") as service:
        yield service
