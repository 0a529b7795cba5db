"""A worker among the others: it shows that it is there, and takes over from those that are not."""

import asyncio
from typing import NoReturn

import psycopg
import structlog

from jitterscope.settings import Settings
from jitterscope.store import workers

_log = structlog.get_logger()

_SECONDS_BETWEEN_LOOKS = 0.5


async def stay_present(settings: Settings, application_name: str, worker_id: int) -> NoReturn:
    """Looks around twice a second until it is cancelled, and touches the health file after each look.

    `application_name` is that of all connections of this worker.
    Raises: psycopg.OperationalError or TimeoutError once the database is lost.
    """
    async with await psycopg.AsyncConnection.connect(
        settings.conninfo, autocommit=True, application_name=application_name, connect_timeout=5
    ) as connection:
        await workers.appear(connection, worker_id)
        absent: set[int] = set()
        while True:
            # A database that accepts a question and never answers is lost, too.
            async with asyncio.timeout(settings.worker_silence_seconds):
                absent = await _look_around(settings, connection, absent)
            if settings.worker_health_file is not None:
                await asyncio.to_thread(settings.worker_health_file.touch)
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)


async def _look_around(
    settings: Settings, connection: psycopg.AsyncConnection, absent_before: set[int]
) -> set[int]:
    """Workers that are absent now. Work is taken from those that were absent at the last look already.

    A worker that has just begun takes its first job a moment before it has its lock.
    """
    for worker_id in await workers.end_silent(connection, settings.worker_silence_seconds):
        _log.warning("hung_worker_ended", worker_id=worker_id)
    absent = set(await workers.absent_workers(connection))
    for job in await workers.requeue(connection, list(absent & absent_before)):
        _log.warning("load_rescued", job=job)
    return absent
