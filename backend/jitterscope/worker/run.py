"""Starting and stopping a worker."""

import asyncio
from contextlib import suppress

from jitterscope.logs import configure_logs
from jitterscope.settings import Settings
from jitterscope.store.blobs import BlobStore
from jitterscope.store.database import WORKER_LIMITS, Database
from jitterscope.worker.app import STALLED_SECONDS, Services, create_worker_app
from jitterscope.worker.health import show_signs_of_life

# A load that is cut short starts again from its file, so there is no point in waiting for it long.
_GRACE_SECONDS = 2.0


def main() -> None:
    """Load traces until SIGTERM or SIGINT."""
    configure_logs()
    asyncio.run(run_worker(Settings()))


async def run_worker(settings: Settings) -> None:
    services = Services(settings, Database(settings, WORKER_LIMITS), BlobStore(settings))
    app = create_worker_app(services)
    signs = None
    if settings.worker_health_file is not None:
        signs = asyncio.create_task(show_signs_of_life(services.database, settings.worker_health_file))
    try:
        async with app.open_async():
            await app.run_worker_async(
                concurrency=settings.worker_concurrency + 1,
                shutdown_graceful_timeout=_GRACE_SECONDS,
                stalled_worker_timeout=STALLED_SECONDS,
                delete_jobs="successful",
            )
    finally:
        if signs is not None:
            signs.cancel()
            with suppress(asyncio.CancelledError):
                await signs
        await services.database.close()
