"""The schema's version: bringing it up to date, and asking which one is there."""

from functools import cache

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.script.revision import ResolutionError
from alembic.util import CommandError
from sqlalchemy import Connection

from jitterscope.problems import SchemaTooNew, SchemaTooOld
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
            raise SchemaTooNew(
                f"the database has the schema {found!r}, which this version does not know: a newer "
                "Jitterscope has worked with it. Start that version or a later one; to go back, restore a "
                "backup from before the upgrade, or upload the files again to another data folder"
            ) from error
        raise


def is_at_head(connection: Connection) -> bool:
    """Whether the schema is the one that this version of the program was written for."""
    current = MigrationContext.configure(connection).get_current_revision()
    return current == _head()


def schema_state(connection: Connection) -> str:
    """`ok`, `needs a migration`, or `of a newer version` where this program knows no such schema."""
    current = MigrationContext.configure(connection).get_current_revision()
    if current == _head():
        return "ok"
    is_known = current is None or current in _EARLIER or current in _revisions()
    return "needs a migration" if is_known else "of a newer version"


@cache
def _head() -> str | None:
    """The newest revision that comes with the program; it takes milliseconds to find among all of them."""
    return ScriptDirectory.from_config(alembic_config()).get_current_head()


@cache
def _revisions() -> frozenset[str]:
    """All revisions that come with the program."""
    return frozenset(step.revision for step in ScriptDirectory.from_config(alembic_config()).walk_revisions())
