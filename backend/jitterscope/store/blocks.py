"""Blocks of a trace on their way out: what there is in a window, and the rows as a binary COPY stream."""

import hashlib
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, LiteralString

from psycopg import AsyncConnection, sql
from pydantic import BaseModel

from jitterscope import _ftrace
from jitterscope.store.kept_rows import RowId, rows_of, stream_of
from jitterscope.store.part_cache import LoadParts

BlockId = tuple[int, int]  # kind and number


# Arrays that say nothing of latency samples, by their types.
_NOT_OF_SAMPLES = {
    "self_ns": sql.SQL("'{}'::integer[]"),
    "self_excess_ns": sql.SQL("'{}'::bigint[]"),
    "id_at": sql.SQL("'{}'::smallint[]"),
    "id_step": sql.SQL("'{}'::integer[]"),
    "args": sql.SQL("'{}'::text[]"),
    "retval": sql.SQL("'{}'::text[]"),
}


# Not `&&`, which compares each with each: a list of constants is hashed.
_OVERLAPS: dict[str, LiteralString] = {
    "cpu": "AND EXISTS (SELECT FROM unnest(cpu) AS one WHERE one = ANY(%s::smallint[])) ",
    "task": "AND EXISTS (SELECT FROM unnest(task) AS one WHERE one = ANY(%s::integer[])) ",
    "type": "AND EXISTS (SELECT FROM unnest(type) AS one WHERE one = ANY(%s::smallint[])) ",
}
Arrays = dict[str, list[int]]


class Wanted(BaseModel):
    """What a block must hold one of each of, for anything in it to match; None: it may hold anything."""

    cpus: list[int] | None
    tasks: list[int] | None
    types: list[int] | None

    def arrays(self, *columns: str) -> Arrays:
        """By column, the values that narrow what blocks come into question."""
        values = {"cpu": self.cpus, "task": self.tasks, "type": self.types}
        asked = {name: values[name] for name in columns}
        return {name: wanted for name, wanted in asked.items() if wanted is not None}


@cache
def _columns(is_for_samples: bool) -> dict[str, sql.Composed]:
    """By table, its columns in the order that the core expects."""
    tables: dict[str, list[str]] = json.loads(_ftrace.table_columns())
    empty: dict[str, sql.SQL] = _NOT_OF_SAMPLES if is_for_samples else {}
    return {
        table: sql.SQL(", ").join([empty.get(name, sql.Identifier(name)) for name in names])
        for table, names in tables.items()
    }


@dataclass(frozen=True)
class Window:
    """A half-open stretch of one trace, in nanoseconds from its start."""

    trace_key: int
    start_ns: int
    end_ns: int


@dataclass(frozen=True)
class BlockReader:
    """Reads one trace's blocks within one transaction, on the connection that `connect` answers.

    `cache` holds small parts that nearly every question needs, `rows` the blocks themselves; where all is
    at hand, nothing is connected.
    """

    connect: Callable[[], Awaitable[AsyncConnection]]
    trace_key: int
    cache: LoadParts
    rows: LoadParts

    async def slice_headers(self, window: Window) -> list[list[int]]:
        """[kind, slices in the blocks that touch the window] of each kind."""
        counts: Counter[int] = Counter()
        for kind, _, t0, t1, count in await self._slice_places():
            if t1 >= window.start_ns and t0 < window.end_ns:
                counts[kind] += count
        return [[kind, count] for kind, count in sorted(counts.items())]

    async def _slice_places(self) -> Sequence[Sequence[int]]:
        """[kind, block, t0, t1, count] of every block of slices."""
        query: LiteralString = "SELECT kind, block, t0, t1, count FROM slice_block WHERE trace_key = %s"
        return _decoded(await self._kept_headers("slice places", query))

    async def rollup_headers(self) -> Sequence[Sequence[int]]:
        """[kind, level, width_ns] of every rollup."""
        return _decoded(
            await self._kept_headers(
                "rollup headers",
                "SELECT DISTINCT kind, level, width_ns FROM rollup_block WHERE trace_key = %s ORDER BY 1, 2",
            )
        )

    async def event_headers(self) -> str:
        """JSON of [block, t0, t1, count] of every event block."""
        headers = await self._kept_headers(
            "event headers",
            "SELECT block, t0, t1, count FROM event_block WHERE trace_key = %s ORDER BY block",
        )
        return headers.decode("ascii")

    async def event_headers_of(self, types: list[int]) -> str:
        """JSON of [block, t0, t1, count] of every event block that holds events of one of the types."""
        query = (
            "SELECT block, t0, t1, count FROM event_block "
            "WHERE trace_key = %s AND EXISTS (SELECT FROM unnest(%s::smallint[]) AS wanted "
            "WHERE wanted = ANY(type)) ORDER BY block"
        )

        async def read() -> bytes:
            return json.dumps(await self._rows(query, types)).encode("ascii")

        return (await self.cache.get(f"event headers {types}", read)).decode("ascii")

    async def events_holding(self, wanted: Wanted) -> list[int] | None:
        """Numbers of the event blocks that hold what is wanted; None where it narrows nothing."""
        asked = wanted.arrays("cpu", "task", "type")
        if not asked:
            return None
        rows = await self._headers_holding("SELECT block FROM event_block", asked, "ORDER BY block")
        return [block for (block,) in _decoded(rows)]

    async def latency_headers(self, wanted: Wanted | None = None) -> str:
        """JSON `{"samples": [[kind, block, t0, t1, count, max_ns], ...], "slices": [...]}` of every block
        that holds what is wanted."""
        columns: LiteralString = "SELECT kind, block, t0, t1, count, max_ns FROM "
        asked = wanted.arrays("cpu", "task") if wanted is not None else {}
        samples = await self._headers_holding(columns + "sample_block", asked, "ORDER BY 1, 2")
        slices = await self._headers_holding(columns + "slice_block", asked, "ORDER BY 1, 2")
        return f'{{"samples":{samples.decode("ascii")},"slices":{slices.decode("ascii")}}}'

    async def _headers_holding(self, select: LiteralString, asked: Arrays, order: LiteralString) -> bytes:
        """JSON of the rows whose arrays have one of each that is asked for.

        A block keeps each CPU, task and type that it has once, beside the records that refer to them.
        """
        query = select + " WHERE trace_key = %s "
        for name in asked:
            query += _OVERLAPS[name]
        query += order
        digest = hashlib.sha256(json.dumps(asked).encode("ascii")).hexdigest()
        return await self._kept_headers(f"{select} {digest}", query, *asked.values())

    async def call_headers(self, symbols: list[int] | None = None) -> str:
        """JSON of [kind, block, t0, t1, count, max_ns] of every block of calls, or of those with a symbol."""
        columns: LiteralString = "SELECT kind, block, t0, t1, count, max_ns FROM slice_block "
        where: LiteralString = "WHERE trace_key = %s AND kind = 5 "
        if symbols is None:
            headers = await self._kept_headers("call headers", columns + where + "ORDER BY block")
            return headers.decode("ascii")
        query = columns + where + "AND symbol && %s::integer[] ORDER BY block"

        async def read() -> bytes:
            return json.dumps(await self._rows(query, symbols)).encode("ascii")

        return (await self.cache.get(f"call headers {symbols}", read)).decode("ascii")

    async def switched_cpus(self) -> list[int]:
        """CPUs that have running tasks anywhere in the trace, so that their switches are recorded."""
        rows = await self._kept_headers(
            "switched cpus",
            "SELECT DISTINCT cpu FROM rollup_block WHERE trace_key = %s AND kind = 1 ORDER BY cpu",
        )
        return [cpu for (cpu,) in _decoded(rows)]

    async def explained(self) -> str:
        """JSON object: the first sentence of every case that was explained, by id."""

        async def read() -> bytes:
            query = "SELECT id, headline FROM latency_explanation WHERE trace_key = %s"
            cursor = await (await self.connect()).execute(query, (self.trace_key,))
            return json.dumps({str(row[0]): row[1] for row in await cursor.fetchall()}).encode("ascii")

        return (await self.cache.get("explained", read)).decode("ascii")

    async def whole(self, table: str) -> bytes:
        """All rows of a small table."""
        return await self.cache.get(table, lambda: self._copy(table, "TRUE"))

    async def slices(self, window: Window, kinds: list[int]) -> bytes:
        if not kinds:
            return b""
        places = await self._slice_places()
        ids = [
            (kind, block)
            for kind, block, t0, t1, _ in places
            if kind in kinds and t1 >= window.start_ns and t0 < window.end_ns
        ]
        return await self._chosen("slice_block", ids)

    async def chosen(self, table: Literal["sample_block", "slice_block"], blocks: list[BlockId]) -> bytes:
        """The blocks of these kinds and numbers."""
        return await self._chosen(table, blocks) if blocks else b""

    async def sample_slices(self, blocks: list[BlockId]) -> bytes:
        """The blocks of slices without what says nothing of latency samples."""
        return await self._chosen("slice_block", blocks, is_for_samples=True) if blocks else b""

    async def rollups(self, window: Window, levels: list[tuple[int, int]]) -> bytes:
        if not levels:
            return b""
        query: LiteralString = (
            "SELECT kind, level, cpu, depth, block, first_bucket * width_ns, (last_bucket + 1) * width_ns "
            "FROM rollup_block WHERE trace_key = %s"
        )
        places = _decoded(await self._kept_headers("rollup places", query))
        ids = [
            (kind, level, cpu, depth, block)
            for kind, level, cpu, depth, block, start_ns, end_ns in places
            if (kind, level) in levels and start_ns < window.end_ns and end_ns > window.start_ns
        ]

        async def read(missing: Sequence[RowId]) -> list[bytes]:
            return await self._read_rows("rollup_block", _CHOSEN_ROLLUPS, *zip(*missing, strict=True))

        return await stream_of(self.rows, "rollup_block", ids, read)

    async def counters(self, window: Window) -> bytes:
        if await self._is_empty("counter_block"):
            return b""
        return await self._copy("counter_block", "t1 >= %s AND t0 < %s", window.start_ns, window.end_ns)

    async def stacks(self, window: Window) -> bytes:
        if await self._is_empty("stack"):
            return b""
        return await self._copy("stack", "t_ns >= %s AND t_ns < %s", window.start_ns, window.end_ns)

    async def events(self, blocks: list[int]) -> bytes:
        if not blocks:
            return b""

        async def read(missing: Sequence[RowId]) -> list[bytes]:
            numbers = [number for (number,) in missing]
            return await self._read_rows("event_block", "block = ANY(%s)", numbers)

        return await stream_of(self.rows, "event_block", [(number,) for number in blocks], read)

    async def _chosen(
        self,
        table: Literal["sample_block", "slice_block"],
        blocks: list[BlockId],
        *,
        is_for_samples: bool = False,
    ) -> bytes:
        async def read(missing: Sequence[RowId]) -> list[bytes]:
            kinds, numbers = zip(*missing, strict=True)
            return await self._read_rows(table, _CHOSEN, kinds, numbers, is_for_samples=is_for_samples)

        return await stream_of(self.rows, f"{table} of samples" if is_for_samples else table, blocks, read)

    async def _is_empty(self, table: Literal["counter_block", "stack"]) -> bool:
        """Whether the trace has no row of the table, as is common."""
        queries: dict[str, LiteralString] = {
            "counter_block": "SELECT 1 FROM counter_block WHERE trace_key = %s LIMIT 1",
            "stack": "SELECT 1 FROM stack WHERE trace_key = %s LIMIT 1",
        }
        return not _decoded(await self._kept_headers(f"any {table}", queries[table]))

    async def _kept_headers(self, part: str, query: LiteralString, *parameters: object) -> bytes:
        async def read() -> bytes:
            return json.dumps(await self._rows(query, *parameters)).encode("ascii")

        return await self.cache.get(part, read)

    async def _rows(self, query: LiteralString, *parameters: object) -> list[list[int]]:
        cursor = await (await self.connect()).execute(query, (self.trace_key, *parameters))
        return [list(row) for row in await cursor.fetchall()]

    async def _copy(self, table: str, where: LiteralString, *parameters: object) -> bytes:
        """A complete COPY stream of the rows of this trace, in the order of the primary key."""
        return b"".join(await self._messages(table, where, parameters, is_for_samples=False))

    async def _read_rows(
        self, table: str, where: LiteralString, *columns: Sequence[int], is_for_samples: bool = False
    ) -> list[bytes]:
        """The rows, in the order of the primary key, that stand in these columns of ids."""
        parameters = [list(column) for column in columns]
        return rows_of(await self._messages(table, where, parameters, is_for_samples=is_for_samples))

    async def _messages(
        self, table: str, where: LiteralString, parameters: Sequence[object], *, is_for_samples: bool
    ) -> list[bytes]:
        statement = sql.SQL(
            "COPY (SELECT {columns} FROM {table} WHERE trace_key = {key} AND {where} ORDER BY {order}) "
            "TO STDOUT (FORMAT binary)"
        ).format(
            columns=_columns(is_for_samples)[table],
            table=sql.Identifier(table),
            key=sql.Literal(self.trace_key),
            where=sql.SQL(where),
            order=sql.SQL(", ").join(sql.Identifier(name) for name in _ORDER[table]),
        )
        connection = await self.connect()
        async with connection.cursor().copy(statement, parameters) as copy:
            return [bytes(message) async for message in copy]


@lru_cache(maxsize=64)
def _decoded(headers: bytes) -> Sequence[Sequence[int]]:
    """The rows; decoded once for as long as their trace is looked at, since they are thousands."""
    rows: list[list[int]] = json.loads(headers)
    return rows


_CHOSEN: LiteralString = "(kind, block) IN (SELECT * FROM unnest(%s::smallint[], %s::integer[]))"
_CHOSEN_ROLLUPS: LiteralString = (
    "(kind, level, cpu, depth, block) IN "
    "(SELECT * FROM unnest(%s::smallint[], %s::smallint[], %s::smallint[], %s::smallint[], %s::integer[]))"
)

# The primary key of each table that is read, without the trace's key.
_ORDER: dict[str, tuple[str, ...]] = {
    "calltree_block": ("block",),
    "counter": ("idx",),
    "counter_block": ("block",),
    "event_block": ("block",),
    "event_field": ("idx",),
    "event_type": ("idx",),
    "function_stat": ("symbol",),
    "interference": ("idx",),
    "latency_case": ("kind", "rank"),
    "latency_incomplete": ("kind", "reason"),
    "latency_kind": ("kind",),
    "loss": ("idx",),
    "note": ("idx",),
    "rollup_block": ("kind", "level", "cpu", "depth", "block"),
    "sample_block": ("kind", "block"),
    "slice_block": ("kind", "block"),
    "stack": ("idx",),
    "symbol": ("idx",),
    "task": ("idx",),
}
