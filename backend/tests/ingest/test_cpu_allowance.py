"""The CPU time that a parsing child gets."""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

import pytest

from jitterscope.ingest.parser_process import CpuAllowance, most_cpu_seconds
from jitterscope.settings import Settings

_MIB = 1 << 20
_SETTINGS = Settings(parser_min_seconds=60, parser_bytes_per_second=4 * _MIB)


@pytest.fixture
def scratch() -> Iterator[int]:
    with tempfile.TemporaryFile() as file:
        yield file.fileno()


def test_a_small_file_gets_no_time_for_what_it_might_expand_to(scratch: int) -> None:
    allowance = CpuAllowance(_SETTINGS, 40 * _MIB, scratch)
    # 200 times as large it would get 2,070 s.
    assert allowance.seconds == 60 + 10


def test_what_was_expanded_counts_wherever_it_went(scratch: int) -> None:
    allowance = CpuAllowance(_SETTINGS, 40 * _MIB, scratch)
    allowance.note_expanded(400 * _MIB)
    assert allowance.seconds == 60 + 110
    os.ftruncate(scratch, 4_000 * _MIB)
    assert allowance.seconds == 60 + 1_010


def test_a_child_that_claims_more_gets_no_more_than_the_largest_file(scratch: int) -> None:
    allowance = CpuAllowance(_SETTINGS, _MIB, scratch)
    allowance.note_expanded(1 << 62)
    assert allowance.seconds == most_cpu_seconds(_SETTINGS, _MIB) == 60 + 50


def test_a_process_that_goes_on_for_ever_is_noticed(scratch: int) -> None:
    allowance = CpuAllowance(Settings(parser_min_seconds=1), 10, scratch)
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as process:
        try:
            assert asyncio.run(asyncio.wait_for(allowance.is_used_up_by(process.pid), timeout=60))
            assert process.poll() is None
        finally:
            process.kill()


def test_a_process_that_ends_by_itself_has_used_up_nothing(scratch: int) -> None:
    allowance = CpuAllowance(_SETTINGS, 10, scratch)
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
        assert not asyncio.run(allowance.is_used_up_by(process.pid))
