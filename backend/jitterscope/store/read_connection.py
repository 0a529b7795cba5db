"""Connections of the role that may read the documented views: a new one for each statement."""

import resource
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import AdaptersMap, Dumper, Loader
from psycopg.types.numeric import FloatLoader, IntLoader

from jitterscope.embedded.roles import FORBIDDEN_FUNCTIONS
from jitterscope.problems import SqlUnavailable
from jitterscope.settings import Settings
from jitterscope.store.read_role import DOCUMENTED_VIEWS

_CONNECT_SECONDS = 5
# Of more digits than any sum of times has; 131,072 are possible.
_LONGEST_NUMBER = 64
_NO_ROLE = (
    "This server has no database role for people's SQL. An administrator of its PostgreSQL creates the role "
    "jitterscope_read and sets JITTERSCOPE_SQL_DATABASE_URL (docs/operators.md, “SQL for people”)."
)
# A role that could do more is not used, whatever the statement is.
_EXCESS = """
SELECT CASE
    WHEN role.rolsuper OR role.rolcreaterole OR role.rolcreatedb OR role.rolreplication OR role.rolbypassrls
        THEN 'is more than an ordinary role'
    WHEN EXISTS (SELECT FROM pg_auth_members WHERE member = role.oid) THEN 'is a member of another role'
    WHEN has_database_privilege(current_database(), 'TEMP') THEN 'may create temporary tables'
    WHEN has_schema_privilege('public', 'CREATE') THEN 'may create tables'
    ELSE coalesce(
        (SELECT format('may use the relation %s', c.oid::regclass) FROM pg_class c
         WHERE c.relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace,
                                      'pg_toast'::regnamespace)
           AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
           AND NOT (c.relkind = 'v' AND c.relnamespace = 'public'::regnamespace AND c.relname = ANY ($1))
           AND has_schema_privilege(c.relnamespace, 'USAGE')
           AND CASE WHEN c.relkind = 'S' THEN has_sequence_privilege(c.oid, 'USAGE, SELECT, UPDATE')
                    ELSE has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE') END LIMIT 1),
        (SELECT format('may call %s', p.oid::regprocedure) FROM pg_proc p
         WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname ~ $2
           AND has_function_privilege(p.oid, 'EXECUTE') LIMIT 1),
        -- Such as those of dblink, which reach other servers. The catalog uses pg_trgm, whose do not.
        (SELECT format('may call %s', p.oid::regprocedure)
         FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
         WHERE p.pronamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
           AND (p.prosecdef OR (NOT l.lanpltrusted AND l.lanname <> 'sql' AND p.provolatile = 'v'))
           AND NOT EXISTS (SELECT FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
                           WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid
                             AND d.refclassid = 'pg_extension'::regclass AND e.extname = 'pg_trgm')
           AND has_schema_privilege(p.pronamespace, 'USAGE')
           AND has_function_privilege(p.oid, 'EXECUTE') LIMIT 1))
END
FROM pg_roles AS role WHERE role.rolname = current_user
"""


class TraceIds(tuple[str, ...]):
    """The traces of a statement, which it knows as `$1`, an array of text."""

    __slots__ = ()


class _TraceIdsDumper(Dumper):
    oid = 1009  # text[]

    def dump(self, obj: TraceIds) -> Buffer:
        """Ids hold no sign that an array would have to quote."""
        return ("{" + ",".join(obj) + "}").encode()


class _PrintedLoader(Loader):
    """A value as PostgreSQL prints it. What it can print is not always what Python can hold."""

    def load(self, data: Buffer) -> str:
        return bytes(data).decode()


class _NumericLoader(Loader):
    """An integer as such, so that sums of times stay exact; fractions as the nearest float."""

    def load(self, data: Buffer) -> int | float | str:
        printed = bytes(data).decode()
        if len(printed) > _LONGEST_NUMBER:
            return printed
        try:
            return int(printed)
        except ValueError:
            return float(printed)


class _BoolLoader(Loader):
    def load(self, data: Buffer) -> bool:
        return bytes(data) == b"t"


def _printing() -> AdaptersMap:
    """Numbers and truth values as such, all else as text."""
    adapters = AdaptersMap(psycopg.adapters)
    for info in psycopg.postgres.types:
        for oid in (info.oid, info.array_oid):
            adapters.register_loader(oid, _PrintedLoader)
    for name in ("int2", "int4", "int8"):
        adapters.register_loader(name, IntLoader)
    for name in ("float4", "float8"):
        adapters.register_loader(name, FloatLoader)
    adapters.register_loader("numeric", _NumericLoader)
    adapters.register_loader("bool", _BoolLoader)
    adapters.register_dumper(TraceIds, _TraceIdsDumper)
    return adapters


@dataclass(frozen=True)
class _Context:
    """What psycopg makes a connection with."""

    adapters: AdaptersMap = field(default_factory=_printing)
    connection: None = None


def no_role(settings: Settings) -> str | None:
    """Why the service has no role for people's SQL, and the way out; None if it has one."""
    return _NO_ROLE if settings.sql_database_url is None else None


@asynccontextmanager
async def read_connection(settings: Settings) -> AsyncIterator[psycopg.AsyncConnection]:
    """A connection in a read-only transaction, which ends without a commit when the block does.

    Raises: SqlUnavailable, psycopg.OperationalError.
    """
    conninfo = settings.sql_conninfo
    if conninfo is None:
        raise SqlUnavailable(_NO_ROLE)
    connection = await psycopg.AsyncConnection.connect(
        conninfo,
        autocommit=False,
        cursor_factory=psycopg.AsyncRawCursor,
        context=_Context(),
        application_name="jitterscope-sql",
        connect_timeout=_CONNECT_SECONDS,
        options=" ".join(f"-c {name}={value}" for name, value in _session_settings(settings).items()),
    )
    try:
        await _require_harmless(connection)
        bound_memory(connection, settings.sql_memory_bytes)
        yield connection
    finally:
        # Not a rollback: closing the connection ends transaction, locks, cursors and settings alike.
        await connection.close()


def _session_settings(settings: Settings) -> dict[str, object]:
    milliseconds = int(settings.sql_seconds * 1000)
    return {
        "statement_timeout": milliseconds,
        "lock_timeout": min(1000, milliseconds),
        "idle_in_transaction_session_timeout": 10_000,
        "client_connection_check_interval": 1000,
        "default_transaction_read_only": "on",
        "work_mem": f"{settings.sql_work_memory_bytes >> 10}kB",
        "hash_mem_multiplier": 1,
        "max_parallel_workers_per_gather": 0,
        "jit": "off",
        "search_path": "public",
        "standard_conforming_strings": "on",
    }


async def _require_harmless(connection: psycopg.AsyncConnection) -> None:
    """Raises: SqlUnavailable where the role could do more than read the documented views."""
    found = await connection.execute(_EXCESS.encode(), (list(DOCUMENTED_VIEWS), FORBIDDEN_FUNCTIONS))
    row = await found.fetchone()
    if row is not None and row[0] is None:
        return
    excess = "does not exist" if row is None else row[0]
    raise SqlUnavailable(
        f"The database role of JITTERSCOPE_SQL_DATABASE_URL {excess}, so it is not used for people's SQL; "
        "docs/operators.md, “SQL for people”, has the statements that make it harmless."
    )


def bound_memory(connection: psycopg.AsyncConnection, max_bytes: int) -> bool:
    """Whether the server process of a connection on this machine was held to so much memory of its own.

    PostgreSQL bounds a sort, but no value and no aggregate. The kernel bounds the heap, not the stack: a
    stack that could not grow would end the whole server.
    """
    process = _server_process(connection)
    if process is None:
        return False
    with suppress(OSError):
        resource.prlimit(process, resource.RLIMIT_DATA, (max_bytes, max_bytes))
        return True
    return False


def _server_process(connection: psycopg.AsyncConnection) -> int | None:
    """The server's process for this connection; None where it may not be the one of that number here."""
    with suppress(OSError, ValueError, IndexError):
        with socket.socket(fileno=socket.dup(connection.fileno())) as own:
            if own.family != socket.AF_UNIX:
                return None
            credentials = own.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        listener = struct.unpack("3i", credentials)[0]
        process = connection.info.backend_pid
        # 812 (postgres: jitterscope_read) S 790 ...
        parent = int(
            Path("/proc", str(process), "stat").read_text(errors="replace").rpartition(") ")[2].split()[1]
        )
        return process if listener in (parent, process) else None
    return None
