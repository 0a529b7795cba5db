"""What /readyz says of a schema that is not this version's."""

import contextlib
from collections.abc import Iterator

import psycopg
import pytest

from tests.api.service import Service


@contextlib.contextmanager
def schema(service: Service, revision: str) -> Iterator[None]:
    """The database calls its schema this for a while."""
    change = "UPDATE alembic_version SET version_num = %s"
    ((found,),) = service.rows("SELECT version_num FROM alembic_version")
    with psycopg.connect(service.settings.conninfo, autocommit=True) as connection:
        connection.execute(change, (revision,))
        try:
            yield
        finally:
            connection.execute(change, (found,))


@pytest.mark.parametrize(
    ("revision", "said"),
    [
        ("0008_buffers", "needs a migration"),
        ("0009_tombstones", "needs a migration"),
        ("9999_later", "of a newer version"),
    ],
)
def test_a_schema_of_another_version_is_not_ready(idle_service: Service, revision: str, said: str) -> None:
    with schema(idle_service, revision):
        response = idle_service.client.get("/readyz")
    assert (response.status_code, response.json()["checks"]["schema"]) == (503, said)
    assert idle_service.client.get("/readyz").json()["checks"]["schema"] == "ok"
