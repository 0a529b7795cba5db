"""Connections to the database that end while the service runs."""

import psycopg

from tests.api.service import Service

END_OTHERS = """
SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


def test_no_request_notices_that_the_database_restarted(service: Service) -> None:
    assert service.client.get("/api/v1/traces").status_code == 200
    with psycopg.connect(service.settings.conninfo) as connection:
        row = connection.execute(END_OTHERS).fetchone()
    assert row is not None
    assert row[0] > 0
    statuses = [service.client.get("/api/v1/traces").status_code for _ in range(4)]
    assert statuses == [200] * 4
