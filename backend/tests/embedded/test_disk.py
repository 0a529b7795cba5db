"""What the embedded server may write follows from the room that there is."""

import psycopg
import pytest

from jitterscope.embedded import EmbeddedPostgres
from jitterscope.embedded.disk import settings_for

GIB = 1 << 30


@pytest.mark.parametrize(
    ("free_bytes", "log", "least_log", "temporary"),
    [
        (0, "32MB", "32MB", "64MB"),
        (GIB, "64MB", "32MB", "128MB"),
        (10 * GIB, "640MB", "160MB", "1280MB"),
        (1000 * GIB, "2048MB", "512MB", "4096MB"),
    ],
)
def test_the_log_is_a_small_part_of_what_is_free(
    free_bytes: int, log: str, least_log: str, temporary: str
) -> None:
    assert settings_for(free_bytes) == {
        "max_wal_size": log,
        "min_wal_size": least_log,
        "temp_file_limit": temporary,
    }


def test_a_running_server_has_them(postgres: EmbeddedPostgres) -> None:
    with psycopg.connect(postgres.url()) as connection:
        rows = connection.execute(
            "SELECT setting::bigint FROM pg_settings "
            "WHERE name IN ('max_wal_size', 'temp_file_limit') ORDER BY name"
        ).fetchall()
    (wal_mib,), (temporary_kib,) = rows
    assert 32 <= wal_mib <= 2048
    assert 64 << 10 <= temporary_kib <= 4096 << 10
