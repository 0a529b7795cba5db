"""The core at work beside the event loop."""

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_Result = TypeVar("_Result")

# Added to the niceness of the process. The event loop is one thread among many that want a processor, and
# while it waits for its turn, every client does.
_NICENESS = 3


def _give_way() -> None:
    """Has this thread give way to the event loop. On Linux each thread has a niceness of its own."""
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.getpriority(os.PRIO_PROCESS, 0) + _NICENESS)


# Apart from the threads that write uploads, which may all wait for a disk. As many start as questions need.
_THREADS = ThreadPoolExecutor(64, "question", initializer=_give_way)


async def in_thread(work: Callable[..., _Result], *arguments: object) -> _Result:
    """What the work returns.

    Work in the core cannot be stopped. Cancelled, this ends only when the work has, so that whoever
    counts questions counts this one for as long as it takes a processor.
    """
    running = asyncio.get_running_loop().run_in_executor(_THREADS, work, *arguments)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait({running})
        if not running.cancelled():
            # Looked at, or asyncio would log that nobody did.
            running.exception()
        raise
