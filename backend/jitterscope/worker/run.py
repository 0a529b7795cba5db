"""Starting and stopping a worker."""

import asyncio
import logging
import os
import secrets
import signal
from contextlib import suppress
from typing import NoReturn

import psycopg
import structlog
from procrastinate.exceptions import ConnectorException
from procrastinate.worker import Worker

from jitterscope.ingest.confined_child import ChildFailed
from jitterscope.ingest.walls import missing_walls, standing_walls
from jitterscope.logs import configure_logs
from jitterscope.settings import Settings, read_settings
from jitterscope.store.blobs import BlobStore
from jitterscope.store.database import WORKER_LIMITS, Database
from jitterscope.store.folders import require_data_folder
from jitterscope.store.migrate import refuse_newer_schema
from jitterscope.store.wait import wait_for_database
from jitterscope.worker.app import Services, create_worker_app
from jitterscope.worker.keep_store import keep_store
from jitterscope.worker.niceness import stand_back
from jitterscope.worker.presence import stay_present
from jitterscope.worker.queues import SECONDS_BETWEEN_FETCHES, Queues

_log = structlog.get_logger()

# A load that is cut short starts again from its file, so there is no point in waiting for it long.
_GRACE_SECONDS = 2.0


def main() -> None:
    """Load traces until SIGTERM or SIGINT.

    Exits with `os.EX_TEMPFAIL` when the database is lost, for whatever starts workers to start another.
    Raises: SettingsError, SchemaTooNew; DatabaseUnavailable if there was none in time.
    """
    configure_logs()
    stand_back()
    settings = read_settings()
    require_data_folder(settings)
    wait_for_database(settings)
    refuse_newer_schema(settings)
    asyncio.run(run_worker(settings))


async def run_worker(settings: Settings) -> None:
    """Processes the queue and tends the store until the process receives a signal to end."""
    # Others find the connections of a worker that hangs by this name.
    name = f"jitterscope-worker-{secrets.token_hex(8)}"
    services = Services(settings, Database(settings, WORKER_LIMITS, name), BlobStore(settings))
    queues = Queues()
    app = create_worker_app(services, queues, name)
    # Beside the work: what a service owes after a crash does not wait for a child to say where it is.
    aside = [asyncio.create_task(work) for work in (keep_store(services), _log_walls())]
    try:
        async with app.open_async():
            await _work(
                settings,
                name,
                Worker(
                    app,
                    queues=queues.taken,
                    concurrency=settings.worker_concurrency + 1,
                    fetch_job_polling_interval=SECONDS_BETWEEN_FETCHES,
                    shutdown_graceful_timeout=_GRACE_SECONDS,
                    stalled_worker_timeout=settings.worker_silence_seconds,
                    delete_jobs="successful",
                    install_signal_handlers=False,
                ),
            )
    finally:
        _forget_health(settings)
        for task in aside:
            task.cancel()
        await asyncio.gather(*aside, return_exceptions=True)
        await services.database.close()


async def _log_walls() -> None:
    try:
        walls = await standing_walls()
    except ChildFailed as error:
        _log.error("parser_cannot_start", detail=str(error))
    else:
        _log.info("parser_walls", walls=walls, missing=missing_walls(walls))


async def _work(settings: Settings, name: str, worker: Worker) -> None:
    """Returns when the worker was asked to stop and has; the process ends if its database is lost."""
    is_asked_to_stop = False

    def stop() -> None:
        nonlocal is_asked_to_stop
        is_asked_to_stop = True
        worker.stop()  # type: ignore[no-untyped-call]  # the library leaves it without types

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop)
    work = asyncio.create_task(worker.run())  # type: ignore[no-untyped-call]  # as above
    presence = asyncio.create_task(_stay_present(settings, name, worker, work))
    await asyncio.wait({work, presence}, return_when=asyncio.FIRST_COMPLETED)
    if not (work.done() and is_asked_to_stop):
        _exit_without_database(settings, presence if presence.done() else work)
    presence.cancel()
    with suppress(asyncio.CancelledError):
        await presence
    work.result()


async def _stay_present(settings: Settings, name: str, worker: Worker, work: asyncio.Task[None]) -> None:
    while worker.worker_id is None:
        if work.done():
            return
        await asyncio.sleep(0.01)
    await stay_present(settings, name, worker.worker_id)


def _exit_without_database(settings: Settings, ended: asyncio.Task[None]) -> NoReturn:
    """Ends the process at once.

    There is nothing to put in order: what was begun went with the connections, parsers die with this
    process, and the queue's library would wait for its database once more to say goodbye.
    """
    error = ended.exception()
    is_expected = error is None or isinstance(error, psycopg.Error | ConnectorException | TimeoutError)
    _log.error("database_lost", reason=str(error).strip(), exc_info=None if is_expected else error)
    _forget_health(settings)
    logging.shutdown()
    os._exit(os.EX_TEMPFAIL)


def _forget_health(settings: Settings) -> None:
    if settings.worker_health_file is not None:
        settings.worker_health_file.unlink(missing_ok=True)
