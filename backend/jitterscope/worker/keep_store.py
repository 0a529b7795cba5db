"""The upkeep of the store beside the loads: when the worker starts, and every hour from then on."""

import asyncio
import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import structlog

from jitterscope.ingest.adopt import Adoption
from jitterscope.ingest.upkeep import Upkeep
from jitterscope.problems import AppError
from jitterscope.store.file_locks import try_lock
from jitterscope.worker.app import Services

_log = structlog.get_logger()

_SECONDS_BETWEEN_RUNS = 3600.0
_SECONDS_UNTIL_RETRY = 10.0


async def keep_store(services: Services) -> None:
    """Does the upkeep of this machine's folder until it is cancelled; never fails.

    No job of the queue, which one worker gets: workers on other machines may have folders of their own.
    """
    adoption = Adoption(services.database, services.blobs)
    upkeep = Upkeep(services.settings, services.database, services.blobs, adoption)
    while True:
        is_done = False
        try:
            with _turn(services.blobs.folder) as is_mine:
                if is_mine:
                    await upkeep.run()
                    is_done = True
        except AppError as error:
            _log.warning("upkeep_interrupted", reason=error.detail)
        except Exception:  # noqa: BLE001 (the edge of a task of its own: loads go on, and it is tried again)
            _log.exception("upkeep_interrupted")
        await asyncio.sleep(_SECONDS_BETWEEN_RUNS if is_done else _SECONDS_UNTIL_RETRY)


@contextlib.contextmanager
def _turn(folder: Path) -> Iterator[bool]:
    """Whether no other process looks after the folder right now; two of them would only do the work twice."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield try_lock(descriptor)
    finally:
        os.close(descriptor)
