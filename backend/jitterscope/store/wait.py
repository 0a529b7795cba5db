"""Waiting for a database that is started at the same time as we are."""

import time

import psycopg
import structlog

from jitterscope.problems import DatabaseUnavailable
from jitterscope.settings import Settings

_log = structlog.get_logger()

_FIRST_PAUSE_SECONDS = 0.05
_LONGEST_PAUSE_SECONDS = 0.2


def wait_for_database(settings: Settings) -> None:
    """Returns when the database of `DATABASE_URL` answers.

    Raises: DatabaseUnavailable, naming the database, the limit and what it said last.
    """
    deadline = time.monotonic() + settings.database_wait_seconds
    pause_seconds = _FIRST_PAUSE_SECONDS
    while True:
        try:
            psycopg.connect(settings.conninfo, connect_timeout=5).close()
            return
        except psycopg.OperationalError as error:
            left_seconds = deadline - time.monotonic()
            if left_seconds <= 0:
                raise DatabaseUnavailable(
                    f"the database {_name(settings)} did not answer "
                    f"within {settings.database_wait_seconds} s (JITTERSCOPE_DATABASE_WAIT_SECONDS): "
                    f"{_last_line(error)}; start it, or set DATABASE_URL to one that runs"
                ) from error
            if pause_seconds == _FIRST_PAUSE_SECONDS:
                _log.warning(
                    "waiting_for_database",
                    database=_name(settings),
                    seconds=settings.database_wait_seconds,
                    reason=_last_line(error),
                )
        time.sleep(min(pause_seconds, left_seconds))
        pause_seconds = min(2 * pause_seconds, _LONGEST_PAUSE_SECONDS)


def _name(settings: Settings) -> str:
    return settings.sqlalchemy_url.render_as_string(hide_password=True)


def _last_line(error: psycopg.OperationalError) -> str:
    return str(error).strip().splitlines()[-1].strip()
