"""The reader's role reads the documented views and does nothing else."""

from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql

from jitterscope.embedded import EmbeddedPostgres
from jitterscope.embedded.roles import PRODUCT, READER
from jitterscope.store.migrate import upgrade_to_head
from jitterscope.store.read_role import DOCUMENTED_VIEWS

DATABASE = "read_by_people"

OTHER_RELATIONS = """
SELECT n.nspname, c.relname, c.relkind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
  AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
"""
STATEMENTS = ("SELECT * FROM {}", "DELETE FROM {}", "INSERT INTO {} DEFAULT VALUES", "TRUNCATE {}")


@pytest.fixture(scope="module")
def reader(postgres: EmbeddedPostgres) -> Iterator[psycopg.Connection]:
    """A connection of the reader that has shed the defaults which it may shed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", postgres.ensure_database(DATABASE))
        upgrade_to_head()
    with psycopg.connect(postgres.url(DATABASE, READER), autocommit=True) as connection:
        yield connection


@pytest.fixture(autouse=True)
def without_defaults(reader: psycopg.Connection) -> Iterator[None]:
    reader.execute("SET default_transaction_read_only = off; SET statement_timeout = 0")
    yield
    reader.execute("RESET ALL")


def test_is_read_only_and_hurried_by_default(reader: psycopg.Connection) -> None:
    reader.execute("RESET ALL")
    names = ("default_transaction_read_only", "statement_timeout", "lock_timeout")
    shown = [reader.execute(sql.SQL("SHOW {}").format(sql.Identifier(name))).fetchone() for name in names]
    assert shown == [("on",), ("30s",), ("1s",)]


@pytest.mark.parametrize("view", DOCUMENTED_VIEWS)
def test_reads_the_documented_views(reader: psycopg.Connection, view: str) -> None:
    assert reader.execute(sql.SQL("SELECT * FROM {}").format(sql.Identifier(view))).fetchall() == []


def test_reads_and_writes_no_other_relation(reader: psycopg.Connection) -> None:
    relations = reader.execute(OTHER_RELATIONS).fetchall()
    assert ("public", "trace", "r") in relations
    open_doors = [
        (statement[:6], name)
        for schema, name, _kind in relations
        for statement in STATEMENTS
        if is_allowed(reader, sql.SQL(statement).format(sql.Identifier(schema, name)))
    ]
    assert sorted(open_doors) == sorted(("SELECT", view) for view in DOCUMENTED_VIEWS)


def is_allowed(connection: psycopg.Connection, statement: sql.Composed) -> bool:
    try:
        connection.execute(statement)
    except (
        psycopg.errors.InsufficientPrivilege,
        psycopg.errors.WrongObjectType,
        psycopg.errors.ObjectNotInPrerequisiteState,
    ):
        return False
    return True


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT pg_read_file('/etc/passwd')",
        "SELECT pg_read_binary_file('postgresql.conf')",
        "SELECT pg_ls_dir('.')",
        "SELECT pg_stat_file('postgresql.conf')",
        "SELECT pg_ls_logdir()",
        "SELECT pg_hba_file_rules()",
        "SELECT * FROM pg_authid",
        "SELECT * FROM pg_statistic",
        "SELECT lo_import('/etc/passwd')",
        "SELECT lo_export(1, '/tmp/door')",
        "SELECT lo_create(0)",
        "SELECT lo_creat(-1)",
        "SELECT lo_from_bytea(0, 'x')",
        "COPY (SELECT 1) TO '/tmp/door'",
        "COPY (SELECT 1) TO PROGRAM 'true'",
        "COPY event FROM '/etc/passwd'",
        "COPY trace TO STDOUT",
        "CREATE TABLE door (x integer)",
        "CREATE TEMP TABLE door (x integer)",
        "CREATE VIEW door AS SELECT 1",
        "CREATE SCHEMA door",
        "CREATE FUNCTION door() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
        "CREATE EXTENSION dblink",
        "CREATE EXTENSION file_fdw",
        "CREATE DATABASE door",
        "CREATE ROLE door",
        "ALTER ROLE jitterscope_read SUPERUSER",
        "ALTER ROLE jitterscope PASSWORD 'x'",
        "ALTER SYSTEM SET fsync = off",
        "ALTER VIEW event SET (security_invoker = on)",
        "DROP VIEW event",
        "GRANT SELECT ON trace TO jitterscope_read",
        f"SET ROLE {PRODUCT}",
        "SET ROLE jitterscope_admin",
        f"SET SESSION AUTHORIZATION {PRODUCT}",
        "SET ROLE pg_read_server_files",
        "LOAD 'plpgsql'",
        "CREATE SERVER door FOREIGN DATA WRAPPER postgres_fdw",
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename IS NULL",
        "SELECT pg_reload_conf()",
        "SELECT procrastinate_retry_job_v1(1, now(), 0, 'x', 'x')",
        "CHECKPOINT",
    ],
)
def test_does_nothing_else(reader: psycopg.Connection, statement: str) -> None:
    refusals = (
        psycopg.errors.InsufficientPrivilege,
        # Where a build has no such extension or function at all.
        psycopg.errors.UndefinedObject,
        psycopg.errors.UndefinedFunction,
        psycopg.errors.FeatureNotSupported,
        psycopg.errors.UndefinedFile,
    )
    with pytest.raises(refusals) as refused:
        reader.execute(statement.encode())
    assert reader.info.transaction_status.name == "IDLE", refused


def test_sees_nothing_of_what_others_ask(reader: psycopg.Connection, postgres: EmbeddedPostgres) -> None:
    with psycopg.connect(postgres.url(DATABASE, PRODUCT)) as other:
        other.execute("SELECT 'a secret'")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            reader.execute("SELECT query FROM pg_stat_activity")


def test_no_function_of_the_product_lends_its_rights(reader: psycopg.Connection) -> None:
    lending = reader.execute(
        "SELECT proname FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace"
    )
    assert lending.fetchall() == []


@pytest.mark.parametrize("database", ["postgres", "template1"])
def test_enters_no_other_database(
    postgres: EmbeddedPostgres, reader: psycopg.Connection, database: str
) -> None:
    assert reader.info.dbname == DATABASE
    with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
        psycopg.connect(postgres.url(database, READER))


def test_the_product_is_no_superuser(postgres: EmbeddedPostgres) -> None:
    with psycopg.connect(postgres.url(DATABASE, PRODUCT), autocommit=True) as connection:
        for statement in (b"COPY (SELECT 1) TO PROGRAM 'true'", b"SELECT pg_read_file('/etc/passwd')"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)
        for role in ("jitterscope_admin", "pg_execute_server_program"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(role)))
