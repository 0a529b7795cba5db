"""The tasks of the job queue."""

from dataclasses import dataclass

import structlog
from procrastinate import App, PsycopgConnector

from jitterscope.ingest.load import Loader, StoredFileUnusable
from jitterscope.ingest.uploads import forget_old_keys
from jitterscope.settings import Settings
from jitterscope.store.blobs import BlobStore
from jitterscope.store.database import Database
from jitterscope.store.jobs import LOAD_QUEUE, LOAD_TASK
from jitterscope.worker.queues import UPKEEP_QUEUE, Queues
from jitterscope.worker.worst_cases import explain_worst_cases

_log = structlog.get_logger()

# Statements of the queue are short; one that is not waits for a worker that hangs.
_QUEUE_OPTIONS = "-c statement_timeout=30s -c lock_timeout=10s -c idle_in_transaction_session_timeout=30s"


@dataclass(frozen=True)
class Services:
    """What the tasks work with."""

    settings: Settings
    database: Database
    blobs: BlobStore


def create_worker_app(services: Services, queues: Queues, application_name: str) -> App:
    """The queue of `DATABASE_URL` with its two tasks: load a trace, and forget old keys."""
    connection = {"application_name": application_name, "options": _QUEUE_OPTIONS, "connect_timeout": 5}
    conninfo = services.settings.conninfo
    app = App(connector=PsycopgConnector(conninfo=conninfo, kwargs=connection, min_size=1, max_size=4))
    loader = Loader(services.settings, services.database, services.blobs, explain_worst_cases)

    @app.task(name=LOAD_TASK, queue=LOAD_QUEUE, retry=queues)
    async def load_trace(trace_key: int) -> None:
        try:
            await loader.load(trace_key)
        except StoredFileUnusable as unusable:
            _log.warning("stored_file_unusable", trace_key=trace_key, reason=str(unusable))
            raise
        except Exception:
            _log.exception("load_interrupted", trace_key=trace_key)
            raise

    @app.periodic(cron="7 * * * *")
    @app.task(name="tidy_store", queue=UPKEEP_QUEUE, queueing_lock="tidy_store")
    async def tidy_database(timestamp: int) -> None:
        """Forget the keys that uploads came with long ago."""
        del timestamp  # the queue gives it to every periodic task
        await forget_old_keys(services.database)

    return app
