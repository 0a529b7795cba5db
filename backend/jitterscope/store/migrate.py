"""The schema's version: bringing it up to date, and asking which one is there."""

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from jitterscope.shipped import shipped_folder


def alembic_config() -> Config:
    """Alembic's configuration, independent of the current folder."""
    config = Config()
    config.set_main_option("script_location", str(shipped_folder("migrations")))
    return config


def upgrade_to_head() -> None:
    """Bring the database of `DATABASE_URL` to the newest schema. Harmless to run twice, or twice at once."""
    command.upgrade(alembic_config(), "head")


def is_at_head(connection: Connection) -> bool:
    """Whether the schema is the one that this version of the program was written for."""
    current = MigrationContext.configure(connection).get_current_revision()
    return current == ScriptDirectory.from_config(alembic_config()).get_current_head()
