"""Being asked to stop, wherever the main thread is at that moment."""

import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import FrameType
from typing import TypeVar

_Result = TypeVar("_Result")


class StopRequested(BaseException):
    """SIGINT or SIGTERM arrived. Not an Exception: nothing but `run_service` has to do with it."""


class Stopping:
    """From now on, SIGINT and SIGTERM raise StopRequested in the main thread, once.

    Some code keeps to itself what is raised in it: finalizers, and the callbacks of an event loop. So the
    request is remembered, too.
    """

    def __init__(self) -> None:
        self._is_requested = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)

    def check(self) -> None:
        """Raises: StopRequested, if a request came that was not heard."""
        if self._is_requested:
            raise StopRequested

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        # Stopping takes a moment; a second Ctrl-C must not leave processes behind.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        self._is_requested = True
        raise StopRequested


def in_another_thread(work: Callable[[], _Result]) -> _Result:
    """What the work returns. A request to stop interrupts the waiting for it, never the work itself."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()
