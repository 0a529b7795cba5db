"""The schema's version: bringing it up to date, and asking which one is there."""

from functools import cache

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.script.revision import ResolutionError
from alembic.util import CommandError
from sqlalchemy import Connection, NullPool, create_engine
from sqlalchemy.exc import OperationalError

from jitterscope.problems import SchemaTooNew, SchemaTooOld
from jitterscope.settings import Settings
from jitterscope.shipped import shipped_folder

# Steps that the first revision has replaced, and the last commit that could take them.
_EARLIER = (
    "0001_blocks",
    "0002_traces",
    "0003_jobs",
    "0004_views",
    "0005_latencies",
    "0006_event_fields",
    "0007_smaller_blocks",
    "0008_buffers",
)
_LAST_TO_UPGRADE = "8044c1e"
_CONNECT_SECONDS = 5


def alembic_config() -> Config:
    """Alembic's configuration, independent of the current folder."""
    config = Config()
    config.set_main_option("script_location", str(shipped_folder("migrations")))
    return config


def upgrade_to_head() -> None:
    """Bring the database of `DATABASE_URL` to the newest schema. Harmless to run twice, or twice at once.

    Raises: SchemaTooNew, SchemaTooOld.
    """
    try:
        command.upgrade(alembic_config(), "head")
    except CommandError as error:
        # Can't locate revision identified by '0042_later'
        if isinstance(error.__cause__, ResolutionError):
            found = error.__cause__.argument
            if found in _EARLIER:
                raise SchemaTooOld(
                    f"the database has the schema {found!r} of an early development version, which this one "
                    "cannot upgrade. Nothing is lost: start Jitterscope once from commit "
                    f"{_LAST_TO_UPGRADE}, which upgrades the database, then start this version"
                ) from error
            raise _too_new(found) from error
        raise


def schema_state(connection: Connection) -> str:
    """`ok`, `needs a migration`, or `of a newer version` where this program knows no such schema."""
    current = MigrationContext.configure(connection).get_current_revision()
    if current == _head():
        return "ok"
    return "needs a migration" if _is_known(current) else "of a newer version"


def refuse_newer_schema(settings: Settings) -> None:
    """Says nothing of a database that does not answer yet, nor of one that is about to be brought up to date.

    Raises: SchemaTooNew.
    """
    engine = create_engine(
        settings.sqlalchemy_url, poolclass=NullPool, connect_args={"connect_timeout": _CONNECT_SECONDS}
    )
    try:
        with engine.connect() as connection:
            current = MigrationContext.configure(connection).get_current_revision()
    except OperationalError:
        return
    if not _is_known(current):
        raise _too_new(current)


def _is_known(revision: str | None) -> bool:
    return revision is None or revision in _EARLIER or revision in _revisions()


def _too_new(revision: str | None) -> SchemaTooNew:
    return SchemaTooNew(
        f"the database has the schema {revision!r}, which this version does not know: a newer "
        "Jitterscope has worked with it. Start that version or a later one; to go back, restore a "
        "backup from before the upgrade, or upload the files again to another data folder"
    )


@cache
def _head() -> str | None:
    """The newest revision that comes with the program; it takes milliseconds to find among all of them."""
    return ScriptDirectory.from_config(alembic_config()).get_current_head()


@cache
def _revisions() -> frozenset[str]:
    """All revisions that come with the program."""
    return frozenset(step.revision for step in ScriptDirectory.from_config(alembic_config()).walk_revisions())
