"""The signs of life of a worker."""

import asyncio
import os
import time
from contextlib import suppress
from pathlib import Path

import pytest

from jitterscope.settings import Settings
from jitterscope.store.database import WORKER_LIMITS, Database
from jitterscope.worker.health import is_alive, show_signs_of_life


def check_signs(database_url: str, file: Path, *, expected: bool) -> None:
    """Whether a worker on that database counts as alive after its first signs, and no more when it ended."""

    async def work() -> bool:
        database = Database(Settings(database_url=database_url), WORKER_LIMITS)
        signs = asyncio.create_task(show_signs_of_life(database, file))
        await asyncio.wait([signs], timeout=1)
        alive = is_alive(file)
        signs.cancel()
        with suppress(asyncio.CancelledError):
            await signs
        await database.close()
        return alive

    assert asyncio.run(work()) is expected
    assert not is_alive(file)


def test_a_worker_with_a_database_is_alive_until_it_ends(database_url: str, tmp_path: Path) -> None:
    check_signs(database_url, tmp_path / "alive", expected=True)


def test_a_worker_without_a_database_is_not(tmp_path: Path) -> None:
    check_signs(f"postgresql:///none?host={tmp_path}", tmp_path / "alive", expected=False)


@pytest.mark.parametrize(("age_seconds", "expected"), [(5, True), (60, False)])
def test_an_old_sign_is_none(tmp_path: Path, age_seconds: int, expected: bool) -> None:
    file = tmp_path / "alive"
    file.touch()
    then = time.time() - age_seconds
    os.utime(file, (then, then))
    assert is_alive(file) is expected
