"""Being asked to stop at any moment."""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Iterator

import pytest

from jitterscope.run.stopping import Stopping, StopRequested, in_another_thread


@pytest.fixture
def stopping() -> Iterator[Stopping]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield Stopping()
    for number, handler in before.items():
        signal.signal(number, handler)


async def _asked_to_stop(number: signal.Signals) -> None:
    """The signal arrives while a callback of the event loop runs."""
    asyncio.get_running_loop().call_soon(os.kill, os.getpid(), number)
    await asyncio.sleep(0.1)


@pytest.mark.usefixtures("stopping")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_is_heard_while_an_event_loop_works(number: signal.Signals) -> None:
    with pytest.raises(StopRequested):
        in_another_thread(lambda: asyncio.run(_asked_to_stop(number)))


def test_a_stop_that_was_swallowed_is_remembered(stopping: Stopping) -> None:
    stopping.check()
    with contextlib.suppress(StopRequested):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(1)
    with pytest.raises(StopRequested):
        stopping.check()


def test_a_second_stop_interrupts_nothing(stopping: Stopping) -> None:
    for _ in range(2):
        with contextlib.suppress(StopRequested):
            os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGTERM)
    with pytest.raises(StopRequested):
        stopping.check()


def test_work_in_another_thread_returns_what_it_found() -> None:
    assert in_another_thread(lambda: 7) == 7
