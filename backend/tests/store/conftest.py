"""The tests of the store run on the oldest and on the newest PostgreSQL that the service supports."""

import pytest

from jitterscope.embedded import EmbeddedPostgres


@pytest.fixture(scope="session", params=["oldest", "newest"])
def postgres(request: pytest.FixtureRequest) -> EmbeddedPostgres:
    server = request.getfixturevalue(f"{request.param}_postgres")
    assert isinstance(server, EmbeddedPostgres)
    return server
