"""Whether a worker lives, for whatever restarts the ones that do not.

A worker has no port to ask, so it touches a file after each answer of its database, and a second
process looks at the file's age.
"""

import asyncio
import time
from pathlib import Path

import structlog
from sqlalchemy import text

from jitterscope.problems import AppError
from jitterscope.store.database import Database

_log = structlog.get_logger()

_SECONDS_BETWEEN_SIGNS = 10.0
# Three signs may be missed before a worker counts as dead.
_MAX_AGE_SECONDS = 3 * _SECONDS_BETWEEN_SIGNS


async def show_signs_of_life(database: Database, file: Path) -> None:
    """Touches the file while the event loop turns and the database answers; ends by being cancelled."""
    try:
        while True:
            try:
                async with database.session() as session:
                    await session.execute(text("SELECT 1"))
                await asyncio.to_thread(file.touch)
            except AppError as error:
                _log.warning("no_sign_of_life", reason=str(error))
            await asyncio.sleep(_SECONDS_BETWEEN_SIGNS)
    finally:
        await asyncio.to_thread(file.unlink, missing_ok=True)


def is_alive(file: Path) -> bool:
    """True where a worker touched the file in the last half minute."""
    try:
        age_seconds = time.time() - file.stat().st_mtime
    except FileNotFoundError:
        return False
    return age_seconds <= _MAX_AGE_SECONDS
