"""The service's database for a command that runs beside the service, or without it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import SecretStr
from sqlalchemy import NullPool, create_engine
from sqlalchemy.exc import OperationalError

from jitterscope.backup.errors import BackupError
from jitterscope.embedded import DATABASE, EmbeddedPostgres, running_url
from jitterscope.settings import Settings
from jitterscope.store.database import WORKER_LIMITS, Database
from jitterscope.store.migrate import schema_state, upgrade_to_head


@contextmanager
def opened_settings(settings: Settings, *, is_new: bool = False) -> Iterator[Settings]:
    """The settings with the address of a database that answers: `DATABASE_URL`, else the embedded one.

    The embedded one is started where it does not run, and stopped again. One that is to be filled (`is_new`)
    gets its schema; one that a service works with must have the schema of this version.
    The caller must be the main thread.
    Raises: BackupError, EmbeddedPostgresError, AppError.
    """
    if "DATABASE_URL" in os.environ:
        if is_new:
            upgrade_to_head()
        _require_schema(settings)
        yield settings
        return
    folder = settings.data / "postgres"
    running = running_url(folder, DATABASE)
    if running is None:
        with EmbeddedPostgres(folder) as postgres, _environment_of(postgres.ensure_database(DATABASE)) as url:
            upgrade_to_head()
            yield settings.model_copy(update={"database_url": SecretStr(url)})
        return
    if is_new:
        raise BackupError(f"the service runs in {settings.data}; stop it first")
    found = settings.model_copy(update={"database_url": SecretStr(running)})
    _require_schema(found)
    yield found


def _require_schema(settings: Settings) -> None:
    """Nobody's schema is changed under a service that works with it."""
    engine = create_engine(settings.sqlalchemy_url, poolclass=NullPool)
    try:
        with engine.connect() as connection:
            is_ours = schema_state(connection) == "ok"
    except OperationalError as error:
        raise BackupError(f"the database does not answer: {str(error.orig).strip()}") from error
    if not is_ours:
        raise BackupError(
            "the database has the schema of another version of Jitterscope; use the version that serves it, "
            "or bring it up to date first with: jitterscope migrate"
        )


@contextmanager
def _environment_of(url: str) -> Iterator[str]:
    """Alembic reads the address from the environment."""
    os.environ["DATABASE_URL"] = url
    try:
        yield url
    finally:
        del os.environ["DATABASE_URL"]


def open_database(settings: Settings) -> Database:
    return Database(settings, WORKER_LIMITS)
