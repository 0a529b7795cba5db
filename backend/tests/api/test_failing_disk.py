"""A disk that refuses: the answer says so, nothing half stored is left, and the next upload is taken."""

import asyncio
import errno
import os
from pathlib import Path

import pytest
from sqlalchemy import text

from jitterscope.problems import DatabaseUnavailable
from jitterscope.store.database import Database, TimeLimits
from tests.api.service import Service, trace_file


@pytest.mark.parametrize(
    ("call", "code", "status", "problem"),
    [
        ("write", errno.ENOSPC, 507, "disk_full"),
        ("write", errno.EIO, 503, "storage_failed"),
        ("fsync", errno.EIO, 503, "storage_failed"),
        ("fsync", errno.ENOSPC, 507, "disk_full"),
        ("replace", errno.EIO, 503, "storage_failed"),
        ("open", errno.EMFILE, 503, "storage_failed"),
    ],
)
def test_a_call_that_fails_is_a_refusal_with_a_reason(
    service: Service, monkeypatch: pytest.MonkeyPatch, call: str, code: int, status: int, problem: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        patch.setattr(Path if call == "replace" else os, call, fail)
        refused = service.upload(trace_file())
    assert (refused.status_code, refused.json()["code"]) == (status, problem)
    assert str(service.settings.data) not in refused.text
    assert service.stored_files() == []
    assert service.rows("SELECT FROM trace") == []
    assert service.upload(trace_file()).status_code == 202


def test_a_connection_that_the_database_hung_up_is_no_internal_error(service: Service) -> None:
    """What a question that got lost on its way ends with, after the time that a transaction may pause."""

    async def pause() -> None:
        database = Database(service.settings, TimeLimits(5, 5, 0.1))
        try:
            async with database.session() as session:
                await session.execute(text("SELECT 1"))
                await asyncio.sleep(0.5)
                await session.execute(text("SELECT 1"))
        finally:
            await database.close()

    with pytest.raises(DatabaseUnavailable):
        asyncio.run(pause())
