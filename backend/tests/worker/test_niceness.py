"""A load gives way to whoever looks at a trace, also where the kernel schedules sessions as groups."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from jitterscope.ingest.confined_child import ChildProcess
from jitterscope.worker.niceness import NICENESS

# A worker as `run` starts it: it says how nice it and its group are.
WORKER = """
import os
from jitterscope.worker.niceness import stand_back
stand_back()
print(os.getpriority(os.PRIO_PROCESS, 0), open("/proc/self/autogroup").read())
"""

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/autogroup").exists(), reason="this kernel schedules no sessions as groups"
)


def told_by_worker(*, leads_session: bool) -> str:
    command = [sys.executable, "-c", WORKER]
    done = subprocess.run(
        command, capture_output=True, check=True, text=True, start_new_session=leads_session
    )
    return done.stdout


def test_a_worker_makes_its_session_as_nice_as_itself() -> None:
    # 10 /autogroup-134184 nice 10
    told = told_by_worker(leads_session=True).split()
    assert told[0] == str(NICENESS)
    assert told[-2:] == ["nice", str(NICENESS)]


def test_a_worker_leaves_the_session_of_a_terminal_alone() -> None:
    ours = Path("/proc/self/autogroup").read_text().split()
    told = told_by_worker(leads_session=False).split()
    assert told == [str(NICENESS), *ours]


def test_a_parsing_child_is_in_the_session_of_its_worker() -> None:
    async def look() -> None:
        child = ChildProcess([sys.executable, "-c", "import time; time.sleep(60)"], (), os.environ)
        try:
            assert os.getsid(child.pid) == os.getsid(0)
            assert os.getpgid(child.pid) == child.pid
        finally:
            with child.stderr:
                await asyncio.wait_for(child.end(), 10)

    asyncio.run(look())
