"""Rows of a trace on their way out: what a question of the core needs, as binary COPY streams."""

import hashlib
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, LiteralString

from psycopg import AsyncConnection, sql
from pydantic import BaseModel

from jitterscope import _ftrace
from jitterscope.store.kept_rows import RowId, rows_of, stream_of
from jitterscope.store.part_cache import LoadParts


class Rows(BaseModel, frozen=True, extra="forbid"):
    """Those with these primary keys, without the trace's."""

    rows: tuple[RowId, ...]


class Touches(BaseModel, frozen=True, extra="forbid"):
    """Those that have an instant in [start_ns, end_ns)."""

    touches: tuple[int, int]


class Holds(BaseModel, frozen=True, extra="forbid"):
    """Those of blocks whose column lists one of the values: a block lists each CPU, task, type of event and
    function that it has, once."""

    holds: tuple[Literal["cpu", "task", "type", "symbol"], tuple[int, ...]]


class Name(BaseModel, frozen=True, extra="forbid"):
    """What an earlier question kept under this name."""

    name: str


Filter = Rows | Touches | Holds | Name


class Need(BaseModel, frozen=True):
    """Rows of a table of a trace, as the core asks for them; each of the filters must hold."""

    trace: str
    table: str
    where: tuple[Filter, ...]
    is_for_samples: bool


@dataclass(frozen=True)
class RowReader:
    """Reads one trace's rows within one transaction, on the connection that `connect` answers.

    `parts` holds small tables that nearly every question needs, `rows` the blocks themselves; where all is
    at hand, nothing is connected.
    """

    connect: Callable[[], Awaitable[AsyncConnection]]
    trace_key: int
    parts: LoadParts
    rows: LoadParts

    async def fetch(self, need: Need) -> bytes:
        """A complete COPY stream of the rows, in the order of the primary key."""
        match need.where:
            case ():
                return await self.parts.get(need.table, lambda: self._copy(need.table, sql.SQL("TRUE")))
            case (Rows(rows=ids),):
                return await self._blocks(need, ids)
            case (Touches(touches=(start_ns, end_ns)),):
                if await self._is_empty(need.table):
                    return b""
                return await self._copy(need.table, _TOUCHES[need.table], start_ns, end_ns)
            case filters:
                holds = [one.holds for one in filters if isinstance(one, Holds)]
                if len(holds) < len(filters):
                    raise ValueError(f"no rows are read by {filters}")
                condition = sql.SQL(" AND ").join([_HOLDS[column] for column, _ in holds])
                values = [list(wanted) for _, wanted in holds]
                digest = hashlib.sha256(json.dumps(holds).encode("ascii")).hexdigest()
                name = f"{need.table} {digest}"
                return await self.parts.get(name, lambda: self._copy(need.table, condition, *values))

    async def _blocks(self, need: Need, ids: Sequence[RowId]) -> bytes:
        """Blocks are kept one by one, since the next question needs many of them again."""
        if not ids:
            return b""
        types = sql.SQL(", ").join([sql.SQL(f"%s::{name}[]") for name in _KEY_TYPES[need.table]])
        condition = sql.SQL("({key}) IN (SELECT * FROM unnest({types}))").format(
            key=_identifiers(key_of(need.table)), types=types
        )

        async def read(missing: Sequence[RowId]) -> list[bytes]:
            columns = [list(column) for column in zip(*missing, strict=True)]
            messages = await self._messages(need.table, condition, columns, need.is_for_samples)
            return rows_of(messages)

        kept_as = f"{need.table} of samples" if need.is_for_samples else need.table
        return await stream_of(self.rows, kept_as, ids, read)

    async def _is_empty(self, table: str) -> bool:
        """Whether the trace has no row of the table, as is common."""

        async def read() -> bytes:
            query = sql.SQL("SELECT 1 FROM {} WHERE trace_key = %s LIMIT 1").format(sql.Identifier(table))
            cursor = await (await self.connect()).execute(query, (self.trace_key,))
            return b"" if await cursor.fetchone() is None else b"1"

        return await self.parts.get(f"any {table}", read) == b""

    async def _copy(self, table: str, where: sql.Composable, *parameters: object) -> bytes:
        return b"".join(await self._messages(table, where, parameters, is_for_samples=False))

    async def _messages(
        self, table: str, where: sql.Composable, parameters: Sequence[object], is_for_samples: bool
    ) -> list[bytes]:
        statement = sql.SQL(
            "COPY (SELECT {columns} FROM {relation} WHERE trace_key = {key} AND {where} ORDER BY {order}) "
            "TO STDOUT (FORMAT binary)"
        ).format(
            columns=_columns(is_for_samples)[table],
            relation=sql.Identifier(HEADERS_OF.get(table, table)),
            key=sql.Literal(self.trace_key),
            where=where,
            order=_identifiers(key_of(table)),
        )
        connection = await self.connect()
        async with connection.cursor().copy(statement, parameters) as copy:
            return [bytes(message) async for message in copy]


# Arrays that say nothing of latency samples, by their types.
_NOT_OF_SAMPLES = {
    "self_ns": sql.SQL("'{}'::integer[]"),
    "self_excess_ns": sql.SQL("'{}'::bigint[]"),
    "id_at": sql.SQL("'{}'::smallint[]"),
    "id_step": sql.SQL("'{}'::integer[]"),
    "args": sql.SQL("'{}'::text[]"),
    "retval": sql.SQL("'{}'::text[]"),
}

# Blocks without their records are read from the blocks' own tables.
HEADERS_OF = {
    "event_header": "event_block",
    "rollup_header": "rollup_block",
    "sample_header": "sample_block",
    "slice_header": "slice_block",
}

_TOUCHES: dict[str, sql.SQL] = {
    "counter_block": sql.SQL("t1 >= %s AND t0 < %s"),
    "stack": sql.SQL("t_ns >= %s AND t_ns < %s"),
}

# Not `&&`, which compares each with each: a list of constants is hashed.
_HOLDS: dict[str, sql.SQL] = {
    "cpu": sql.SQL("EXISTS (SELECT FROM unnest(cpu) AS one WHERE one = ANY(%s::smallint[]))"),
    "task": sql.SQL("EXISTS (SELECT FROM unnest(task) AS one WHERE one = ANY(%s::integer[]))"),
    "type": sql.SQL("EXISTS (SELECT FROM unnest(type) AS one WHERE one = ANY(%s::smallint[]))"),
    "symbol": sql.SQL("EXISTS (SELECT FROM unnest(symbol) AS one WHERE one = ANY(%s::integer[]))"),
}

# The types of the primary keys of blocks, without the trace's key.
_KEY_TYPES: dict[str, tuple[LiteralString, ...]] = {
    "event_block": ("integer",),
    "rollup_block": ("smallint", "smallint", "smallint", "smallint", "integer"),
    "sample_block": ("smallint", "integer"),
    "slice_block": ("smallint", "integer"),
}


@cache
def stored_tables() -> dict[str, dict[str, list[str]]]:
    """By table, its columns in the order that the core expects, and its primary key."""
    tables: dict[str, dict[str, list[str]]] = json.loads(_ftrace.tables())
    return tables


def key_of(table: str) -> list[str]:
    """The columns of its primary key, without the trace's."""
    return [name for name in stored_tables()[table]["key"] if name != "trace_key"]


def _identifiers(names: Sequence[str]) -> sql.Composed:
    return sql.SQL(", ").join([sql.Identifier(name) for name in names])


@cache
def _columns(is_for_samples: bool) -> dict[str, sql.Composed]:
    empty: dict[str, sql.SQL] = _NOT_OF_SAMPLES if is_for_samples else {}
    return {
        name: sql.SQL(", ").join([empty.get(column, sql.Identifier(column)) for column in table["columns"]])
        for name, table in stored_tables().items()
    }
