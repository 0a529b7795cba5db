"""Which queues a worker takes jobs from, and how it leaves to others what it could not do."""

import asyncio
from dataclasses import dataclass, field

from procrastinate import BaseRetryStrategy, RetryDecision
from procrastinate.jobs import Job

from jitterscope.ingest.load import StoredFileUnusable
from jitterscope.store.jobs import LOAD_QUEUE

UPKEEP_QUEUE = "upkeep"
# Loads whose stored file was missing where they were tried.
MISSING_QUEUE = "load_missing"
# Jobs that are queued again are not announced.
SECONDS_BETWEEN_FETCHES = 1.0
_LONGEST_WAIT_SECONDS = 15


@dataclass
class Queues(BaseRetryStrategy):
    """The queues of one worker, and when a load is tried again: ever more slowly, and until it works.

    Whatever stops a load from outside must not leave its trace unfinished. If what stopped it is a missing
    file, a worker on another machine may have it. Workers look for jobs at a steady pace, so the one that
    always looks first would always get the job, even the one that cannot do it: it leaves such jobs alone
    until every other worker has looked for them.
    """

    # The list that the worker reads at each look.
    taken: list[str] = field(default_factory=lambda: [LOAD_QUEUE, MISSING_QUEUE, UPKEEP_QUEUE])
    _taken_again: asyncio.TimerHandle | None = None

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision:
        seconds = min(2**job.attempts, _LONGEST_WAIT_SECONDS)
        if not isinstance(exception, StoredFileUnusable):
            return RetryDecision(retry_in={"seconds": seconds})
        self._leave_missing(seconds + 2 * SECONDS_BETWEEN_FETCHES)
        return RetryDecision(retry_in={"seconds": seconds}, queue=MISSING_QUEUE)

    def _leave_missing(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        if self._taken_again is None:
            self.taken.remove(MISSING_QUEUE)
        else:
            self._taken_again.cancel()
            until = max(until, self._taken_again.when())
        self._taken_again = loop.call_at(until, self._take_missing)

    def _take_missing(self) -> None:
        self._taken_again = None
        self.taken.append(MISSING_QUEUE)
