"""One statement of somebody's own, held to rows, bytes, time and memory."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg

from jitterscope.settings import Settings
from jitterscope.store.read_connection import TraceIds, read_connection
from jitterscope.store.read_refusals import refusal

Value = str | int | float | bool | None

# Rows that arrive together; each is at most max_sql_row_bytes long.
_CHUNK = 32
# The server ends a statement itself; this is for one that does not answer.
_GRACE_SECONDS = 3.0
_PREPARE = "PREPARE jitterscope_sql (text[]) AS "
# The statement is whole on its own, which PREPARE has made sure of, so it ends where its bracket does. LIMIT
# keeps PostgreSQL from merging it with the condition around it, which fails at a row that is too long.
_BOUNDED = "SELECT q.* FROM (SELECT p.* FROM (\n"
_BOUNDS = """
) AS p LIMIT {rows}) AS q
WHERE $1::text[] IS NOT NULL AND CASE WHEN pg_column_size(q.*) > {bytes}
      THEN ('jitterscope: a row of ' || pg_column_size(q.*) || ' bytes')::boolean ELSE true END"""


@dataclass(frozen=True)
class Column:
    name: str
    type: str


@dataclass(frozen=True)
class Rows:
    columns: list[Column]
    rows: list[Sequence[Value]]
    # True where there was more than was asked for, or than an answer may hold.
    is_truncated: bool


async def run_statement(settings: Settings, sql: str, limit: int, traces: Sequence[str] = ()) -> Rows:
    """At most `limit` rows of a query; numbers and truth values as such, all else as PostgreSQL prints it.

    Raises: SqlRefused, SqlUnavailable, DatabaseUnavailable.
    """
    try:
        async with (
            asyncio.timeout(settings.sql_seconds + _GRACE_SECONDS),
            read_connection(settings) as connection,
        ):
            return await _run(connection, settings, _without_ending(sql), limit, TraceIds(traces))
    except (psycopg.Error, TimeoutError) as error:
        raise refusal(error, settings) from error


async def _run(
    connection: psycopg.AsyncConnection, settings: Settings, sql: str, limit: int, traces: TraceIds
) -> Rows:
    with _refusals(settings, sql, _PREPARE):
        # Binary, so that the protocol takes one statement alone.
        await connection.execute((_PREPARE + sql).encode(), binary=True)
    bounds = _BOUNDS.format(rows=limit + 1, bytes=settings.max_sql_row_bytes)
    cursor = connection.cursor()
    found: list[Sequence[Value]] = []
    size_bytes = 0
    query = (_BOUNDED + sql + bounds).encode()
    with _refusals(settings, sql, _BOUNDED):
        # What is left of an answer that is cut goes with the connection.
        async for row in cursor.stream(query, (traces,), size=_CHUNK):
            size_bytes += _size_of(row)
            if len(found) == limit or size_bytes > settings.max_sql_bytes:
                return Rows(_columns(cursor), found, is_truncated=True)
            found.append(row)
        if not found:
            # An answer that is streamed has columns only with its first row.
            none = (_BOUNDED + sql + _BOUNDS.format(rows=0, bytes=0)).encode()
            cursor = await connection.execute(none, (traces,))
    return Rows(_columns(cursor), found, is_truncated=False)


@contextmanager
def _refusals(settings: Settings, sql: str, prefix: str) -> Iterator[None]:
    """What PostgreSQL refuses, with its place in the statement as it was written."""
    try:
        yield
    except psycopg.Error as error:
        found = error.diag.statement_position
        position = int(found) - len(prefix) if found else 0
        raise refusal(error, settings, position if 0 < position <= len(sql) + 1 else None) from error


def _without_ending(sql: str) -> str:
    """Without semicolons, blanks and lines of comments at the end, which would end it inside of another."""
    while True:
        sql = sql.rstrip(" \t\r\n\f\v;")
        code, dashes, comment = sql.rpartition("\n")[2].partition("--")
        # With a quote it may be the end of a text.
        if not dashes or "'" in comment or code.strip(" \t")[-1:] not in ("", ";"):
            return sql
        sql = sql[: -len(dashes + comment)]


def _size_of(row: Sequence[Value]) -> int:
    """About the size of its JSON."""
    return sum(2 + (len(value) if isinstance(value, str) else 20) for value in row) + 2


def _columns(cursor: psycopg.AsyncCursor[Sequence[Value]]) -> list[Column]:
    return [Column(column.name, column.type_display) for column in cursor.description or ()]
