"""The schema's version: bringing it up to date, and asking which one is there."""

from functools import cache

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.script.revision import ResolutionError
from alembic.util import CommandError
from sqlalchemy import Connection

from jitterscope.problems import SchemaTooNew
from jitterscope.shipped import shipped_folder


def alembic_config() -> Config:
    """Alembic's configuration, independent of the current folder."""
    config = Config()
    config.set_main_option("script_location", str(shipped_folder("migrations")))
    return config


def upgrade_to_head() -> None:
    """Bring the database of `DATABASE_URL` to the newest schema. Harmless to run twice, or twice at once.

    Raises: SchemaTooNew.
    """
    try:
        command.upgrade(alembic_config(), "head")
    except CommandError as error:
        # Can't locate revision identified by '0042_later'
        if isinstance(error.__cause__, ResolutionError):
            found = error.__cause__.argument
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


@cache
def _head() -> str | None:
    """The newest revision that comes with the program; it takes milliseconds to find among all of them."""
    return ScriptDirectory.from_config(alembic_config()).get_current_head()
