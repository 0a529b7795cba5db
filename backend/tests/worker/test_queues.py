"""A worker leaves to others the loads whose file it does not have, until each of them has looked."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from procrastinate.jobs import Job

from jitterscope.ingest.load import StoredFileUnusable
from jitterscope.worker.queues import MISSING_QUEUE, SECONDS_BETWEEN_FETCHES, Queues

MISSING = StoredFileUnusable({"sentence": "The stored file was looked for once and is missing."})
# How long others have for a job after its wait: each looks once in that time, even one that is a little late.
OTHERS_SECONDS = 2 * SECONDS_BETWEEN_FETCHES


class Clock:
    """What stands for the event loop: its time goes on when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.due: list[Timer] = []

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, action: Callable[[], None]) -> "Timer":
        self.due.append(Timer(self, when, action))
        return self.due[-1]

    def go_on(self, seconds: float) -> None:
        self.now += seconds
        for timer in [timer for timer in self.due if timer.when() <= self.now]:
            self.due.remove(timer)
            timer.action()


class Timer:
    def __init__(self, clock: Clock, when: float, action: Callable[[], None]) -> None:
        self.clock, self.at, self.action = clock, when, action

    def when(self) -> float:
        return self.at

    def cancel(self) -> None:
        self.clock.due.remove(self)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: clock)
    return clock


def job(attempts: int) -> Job:
    return Job(id=1, queue="load", task_name="load_trace", lock=None, queueing_lock=None, attempts=attempts)


@pytest.mark.parametrize(("attempts", "seconds"), [(0, 1), (3, 8), (4, 15), (40, 15)])
def test_waits_grow_to_a_bound(attempts: int, seconds: int) -> None:
    queues = Queues()
    decision = queues.get_retry_decision(exception=OSError(), job=job(attempts))
    assert decision.retry_at is not None
    assert (decision.retry_at - datetime.now(UTC)).total_seconds() == pytest.approx(seconds, abs=0.9)
    assert decision.queue is None
    assert MISSING_QUEUE in queues.taken


@pytest.mark.parametrize(("attempts", "seconds"), [(0, 1), (3, 8), (40, 15)])
def test_what_is_missing_is_left_until_all_others_have_looked(
    clock: Clock, attempts: int, seconds: int
) -> None:
    queues = Queues()
    assert queues.get_retry_decision(exception=MISSING, job=job(attempts)).queue == MISSING_QUEUE
    clock.go_on(seconds + OTHERS_SECONDS - 0.1)
    assert MISSING_QUEUE not in queues.taken
    clock.go_on(0.1)
    assert queues.taken.count(MISSING_QUEUE) == 1


def test_a_short_wait_neither_ends_nor_doubles_a_long_one(clock: Clock) -> None:
    queues = Queues()
    for attempts in (3, 0):
        queues.get_retry_decision(exception=MISSING, job=job(attempts))
    clock.go_on(8 + OTHERS_SECONDS - 0.1)
    assert MISSING_QUEUE not in queues.taken
    clock.go_on(0.1)
    assert queues.taken.count(MISSING_QUEUE) == 1
