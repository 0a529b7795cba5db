"""Runs the migrations, one process at a time, in one transaction."""

from alembic import context
from sqlalchemy import create_engine, pool, text

from jitterscope.settings import Settings
from jitterscope.store.read_role import grant_views
from jitterscope.store.slice_kinds import name_slice_kinds

# Any number will do that no other program locks in the same database.
_MIGRATION_LOCK = 0x6A69_7474


def run() -> None:
    engine = create_engine(Settings().sqlalchemy_url, poolclass=pool.NullPool)
    with engine.connect() as connection:
        context.configure(connection=connection, transaction_per_migration=False)
        with context.begin_transaction():
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))
            context.run_migrations()
            name_slice_kinds(connection)
            grant_views(connection)
    engine.dispose()


run()
