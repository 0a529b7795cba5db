"""The service's database for a command that runs beside the service, or without it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import SecretStr

from jitterscope.backup.errors import BackupError
from jitterscope.embedded import DATABASE, EmbeddedPostgres, running_url
from jitterscope.settings import Settings
from jitterscope.store.database import WORKER_LIMITS, Database
from jitterscope.store.migrate import upgrade_to_head


@contextmanager
def opened_settings(settings: Settings, *, may_run: bool = True) -> Iterator[Settings]:
    """The settings with the address of a database that answers: `DATABASE_URL`, else the embedded one.

    The embedded one is started where it does not run, and stopped again; where it runs, the service does,
    which `may_run` forbids. The caller must be the main thread.
    Raises: BackupError, EmbeddedPostgresError.
    """
    if "DATABASE_URL" in os.environ:
        upgrade_to_head()
        yield settings
        return
    folder = settings.data / "postgres"
    running = running_url(folder, DATABASE)
    if running is not None:
        if not may_run:
            raise BackupError(f"the service runs in {settings.data}; stop it first")
        yield settings.model_copy(update={"database_url": SecretStr(running)})
        return
    with EmbeddedPostgres(folder) as postgres:
        url = postgres.ensure_database(DATABASE)
        os.environ["DATABASE_URL"] = url
        try:
            upgrade_to_head()
            yield settings.model_copy(update={"database_url": SecretStr(url)})
        finally:
            del os.environ["DATABASE_URL"]


def open_database(settings: Settings) -> Database:
    return Database(settings, WORKER_LIMITS)
