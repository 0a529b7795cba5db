"""The tasks of the job queue."""

import asyncio
import random
from dataclasses import dataclass

import structlog
from procrastinate import App, BaseRetryStrategy, PsycopgConnector, RetryDecision
from procrastinate.jobs import Job

from jitterscope.ingest.load import Loader, StoredFileUnusable
from jitterscope.ingest.uploads import forget_old_keys
from jitterscope.settings import Settings
from jitterscope.store.blobs import BlobStore
from jitterscope.store.database import Database
from jitterscope.store.jobs import LOAD_QUEUE, LOAD_TASK
from jitterscope.worker.worst_cases import explain_worst_cases

_log = structlog.get_logger()

_UPKEEP_QUEUE = "upkeep"
_LONGEST_WAIT_SECONDS = 15
# Jobs that are queued again are not announced.
SECONDS_BETWEEN_FETCHES = 1.0
# A worker looks for jobs again when it ends one, and every second after that. Ready exactly then, a job that
# it could not do would always be its own again, and never that of a worker that has the file.
_BEHIND_OWN_LOOK_MILLISECONDS = 200
# Statements of the queue are short; one that is not waits for a worker that hangs.
_QUEUE_OPTIONS = "-c statement_timeout=30s -c lock_timeout=10s -c idle_in_transaction_session_timeout=30s"


class _UntilItWorks(BaseRetryStrategy):
    """Again, ever more slowly: whatever stops a load from outside must not leave its trace unfinished."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision:
        seconds = min(2**job.attempts, _LONGEST_WAIT_SECONDS)
        return RetryDecision(retry_in={"seconds": seconds, "milliseconds": _BEHIND_OWN_LOOK_MILLISECONDS})


@dataclass(frozen=True)
class Services:
    """What the tasks work with."""

    settings: Settings
    database: Database
    blobs: BlobStore


def create_worker_app(services: Services, application_name: str) -> App:
    """The queue of `DATABASE_URL` with its two tasks: load a trace, and forget old keys."""
    connection = {"application_name": application_name, "options": _QUEUE_OPTIONS, "connect_timeout": 5}
    conninfo = services.settings.conninfo
    app = App(connector=PsycopgConnector(conninfo=conninfo, kwargs=connection, min_size=1, max_size=4))
    loader = Loader(services.settings, services.database, services.blobs, explain_worst_cases)

    @app.task(name=LOAD_TASK, queue=LOAD_QUEUE, retry=_UntilItWorks())
    async def load_trace(trace_key: int) -> None:
        try:
            await loader.load(trace_key)
        except StoredFileUnusable as unusable:
            _log.warning("stored_file_unusable", trace_key=trace_key, reason=str(unusable))
            # Its looks come a second apart from here on. Were they always just before those of a worker that
            # has the file, that one would never get the job.
            await asyncio.sleep(random.uniform(0, SECONDS_BETWEEN_FETCHES))  # noqa: S311 (no secret)
            raise
        except Exception:
            _log.exception("load_interrupted", trace_key=trace_key)
            raise

    @app.periodic(cron="7 * * * *")
    @app.task(name="tidy_store", queue=_UPKEEP_QUEUE, queueing_lock="tidy_store")
    async def tidy_database(timestamp: int) -> None:
        """Forget the keys that uploads came with long ago."""
        del timestamp  # the queue gives it to every periodic task
        await forget_old_keys(services.database)

    return app
