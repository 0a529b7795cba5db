"""What a worker arranges before it begins."""

import subprocess
import sys

# Threads cannot be started, as when memory is short; the end of a child is to be noticed all the same.
PROGRAM = """
import asyncio, threading
from jitterscope.worker.run import wait_for_children_without_threads

def refuse(thread):
    raise RuntimeError("can't start new thread")

async def work():
    child = await asyncio.create_subprocess_exec("true")
    return await asyncio.wait_for(child.wait(), 20)

wait_for_children_without_threads()
threading.Thread.start = refuse
raise SystemExit(asyncio.run(work()))
"""


def test_the_end_of_a_parser_is_noticed_without_a_thread() -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
