"""What the embedded server may write follows from the room that there is."""

import os

import psycopg
import pytest

from jitterscope.embedded import EmbeddedPostgres
from jitterscope.embedded.disk import limits_for, recovery_for

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
    assert limits_for(free_bytes) == {
        "max_wal_size": log,
        "min_wal_size": least_log,
        "temp_file_limit": temporary,
    }


@pytest.mark.parametrize(
    ("release", "method"),
    [("6.12.1-rt5", "syncfs"), ("5.8.0", "syncfs"), ("5.7.19", None), ("4.19", None), ("strange", None)],
)
def test_files_are_synced_at_once_where_the_kernel_says_what_failed(release: str, method: str | None) -> None:
    assert recovery_for(release).get("recovery_init_sync_method") == method


def test_a_running_server_recovers_as_its_kernel_allows(postgres: EmbeddedPostgres) -> None:
    with psycopg.connect(postgres.url()) as connection:
        shown = connection.execute("SHOW recovery_init_sync_method").fetchone()
    expected = recovery_for(os.uname().release).get("recovery_init_sync_method", "fsync")
    assert shown == (expected,)


def test_a_running_server_has_them(postgres: EmbeddedPostgres) -> None:
    with psycopg.connect(postgres.url()) as connection:
        rows = connection.execute(
            "SELECT setting::bigint FROM pg_settings "
            "WHERE name IN ('max_wal_size', 'temp_file_limit') ORDER BY name"
        ).fetchall()
    (wal_mib,), (temporary_kib,) = rows
    assert 32 <= wal_mib <= 2048
    assert 64 << 10 <= temporary_kib <= 4096 << 10
