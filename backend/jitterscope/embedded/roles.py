"""Who may do what in the embedded server.

| role | may |
|---|---|
| `jitterscope_admin` | everything; used only at start, to set up the others |
| `jitterscope` | own the product's database and everything in it, but no superuser |
| `jitterscope_read` | select from the documented views, which `store/read_role.py` grants |
"""

import psycopg
from psycopg import sql

from jitterscope.embedded.passwords import Passwords

ADMIN = "jitterscope_admin"
PRODUCT = "jitterscope"
READER = "jitterscope_read"

_COMMON = "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS"
_OPTIONS = {PRODUCT: "CONNECTION LIMIT -1", READER: "CONNECTION LIMIT 8"}
# Defaults, which the reader may change for itself; what it may not do is decided by its lack of rights.
READER_DEFAULTS = {
    "default_transaction_read_only": "on",
    "statement_timeout": "30s",
    "lock_timeout": "1s",
    "idle_in_transaction_session_timeout": "60s",
    # Only a superuser can change this one.
    "temp_file_limit": "256MB",
}

# What everybody may call unless it is forbidden, and what has an effect outside of its own query: large
# objects fill the disk; settings of the session lift its limits; notices and locks reach the service's own
# processes; pg_logical_emit_message writes to the log of the database; activity shows what other people ask;
# the last ones run text as a statement.
FORBIDDEN_FUNCTIONS = (
    "^(lo_creat|lo_create|lo_from_bytea|set_config|pg_notify|pg_sleep.*|pg_(try_)?advisory_.*|pg_cancel_backend|"
    "pg_terminate_backend|pg_stat_get_activity|pg_stat_get_backend_.*|pg_logical_emit_message|pg_export_snapshot|pg_current_xact_id|txid_current|"
    "(query|cursor|table|schema|database)_to_xml.*|ts_stat|ts_rewrite)$"
)
_FORBID_FUNCTIONS = """
DO $do$
DECLARE routine regprocedure;
BEGIN
    FOR routine IN
        SELECT oid FROM pg_proc
        WHERE pronamespace = 'pg_catalog'::regnamespace
          AND proname ~ '{functions}'
          AND has_function_privilege('{reader}', oid, 'EXECUTE')
    LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', routine);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO {product}', routine);
    END LOOP;
END $do$
"""

# `REASSIGN OWNED` refuses the superuser that initdb made, because the system's own objects are its, too.
# Sequences and indexes of a table follow their table.
_GIVE_OBJECTS = """
DO $do$
DECLARE command text;
BEGIN
    FOR command IN
        SELECT format('ALTER TABLE %s OWNER TO {product}', c.oid::regclass)
        FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relowner <> '{product}'::regrole
          AND (c.relkind IN ('r', 'p', 'v', 'm')
               OR c.relkind = 'S' AND NOT EXISTS (
                   SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('a', 'i')))
        UNION ALL
        SELECT format('ALTER ROUTINE %s OWNER TO {product}', p.oid::regprocedure)
        FROM pg_proc p
        WHERE p.pronamespace = 'public'::regnamespace AND p.proowner <> '{product}'::regrole
        UNION ALL
        SELECT format('ALTER TYPE %s OWNER TO {product}', t.oid::regtype)
        FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
        WHERE t.typnamespace = 'public'::regnamespace AND t.typowner <> '{product}'::regrole
          AND (t.typtype IN ('e', 'd') OR c.relkind = 'c')
    LOOP
        EXECUTE command;
    END LOOP;
END $do$
"""


def ensure_roles(connection: psycopg.Connection, passwords: Passwords) -> None:
    """Makes the product's role and the reader, or gives them back their rights and passwords."""
    for role, options in _OPTIONS.items():
        name = sql.Identifier(role)
        known = connection.execute("SELECT FROM pg_roles WHERE rolname = %s", (role,))
        if known.fetchone() is None:
            connection.execute(sql.SQL("CREATE ROLE {}").format(name))
        # Hashed here, so that the server's log cannot hold it.
        verifier = connection.pgconn.encrypt_password(
            passwords.ensure(role).encode(), role.encode(), b"scram-sha-256"
        )
        alter = sql.SQL(f"ALTER ROLE {{}} {_COMMON} {options} PASSWORD {{}}")
        connection.execute(alter.format(name, sql.Literal(verifier.decode())))
    for setting, value in READER_DEFAULTS.items():
        alter = sql.SQL("ALTER ROLE {} SET {} = {}")
        reader = sql.Identifier(READER)
        connection.execute(alter.format(reader, sql.Identifier(setting), sql.Literal(value)))
    for database in ("postgres", "template1"):
        _close_to_public(connection, database)


def give_database(connection: psycopg.Connection, name: str) -> None:
    """Makes the product the owner of a database, and lets the reader connect to it."""
    database = sql.Identifier(name)
    owner = connection.execute(
        "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = %s", (name,)
    ).fetchone()
    if owner != (PRODUCT,):
        alter = sql.SQL("ALTER DATABASE {} OWNER TO {}")
        connection.execute(alter.format(database, sql.Identifier(PRODUCT)))
    _close_to_public(connection, name)
    connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(database, sql.Identifier(READER)))


def give_objects(connection: psycopg.Connection) -> None:
    """Makes the product the owner of everything in the connection's database, where it is not yet.

    Releases before these roles let the superuser own it all.
    """
    with connection.transaction():
        connection.execute(sql.SQL(_GIVE_OBJECTS.replace("{product}", PRODUCT)))
        connection.execute(sql.SQL(forbid_functions()))


def forbid_functions() -> str:
    """The statement by which a superuser takes from the reader what reaches beyond its own query."""
    names = {"{functions}": FORBIDDEN_FUNCTIONS, "{reader}": READER, "{product}": PRODUCT}
    statement = _FORBID_FUNCTIONS
    for name, value in names.items():
        statement = statement.replace(name, value)
    return statement


def _close_to_public(connection: psycopg.Connection, database: str) -> None:
    """By default every role may connect to every database and make temporary tables there."""
    connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(sql.Identifier(database)))
