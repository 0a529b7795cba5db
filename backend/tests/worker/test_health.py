"""The signs of life of a worker."""

import os
import time
from pathlib import Path

import pytest

from jitterscope.settings import Settings
from jitterscope.worker.health import is_alive


@pytest.mark.parametrize(("age_seconds", "expected"), [(5, True), (60, False)])
def test_an_old_sign_is_none(tmp_path: Path, age_seconds: int, expected: bool) -> None:
    file = tmp_path / "alive"
    file.touch()
    then = time.time() - age_seconds
    os.utime(file, (then, then))
    assert is_alive(Settings(worker_health_file=file)) is expected


def test_a_worker_without_a_sign_is_not_alive(tmp_path: Path) -> None:
    assert not is_alive(Settings(worker_health_file=tmp_path / "never"))
    assert not is_alive(Settings())
