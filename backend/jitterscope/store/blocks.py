"""Blocks of a trace on their way out: what there is in a window, and the rows as a binary COPY stream."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Literal, LiteralString

from psycopg import AsyncConnection, sql

from jitterscope import _ftrace
from jitterscope.store.part_cache import PartCache

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
    """Reads one trace's blocks within one transaction."""

    connection: AsyncConnection
    trace_key: int
    cache: PartCache

    async def slice_headers(self, window: Window) -> list[list[int]]:
        """[kind, slices in the blocks that touch the window] of each kind."""
        return await self._rows(
            "SELECT kind, sum(count)::bigint FROM slice_block "
            "WHERE trace_key = %s AND t1 >= %s AND t0 < %s GROUP BY kind ORDER BY kind",
            window.start_ns,
            window.end_ns,
        )

    async def rollup_headers(self) -> list[list[int]]:
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

        return (await self.cache.get(self.trace_key, f"event headers {types}", read)).decode("ascii")

    async def latency_headers(self) -> str:
        """JSON `{"samples": [[kind, block, t0, t1, count, max_ns], ...], "slices": [...]}` of every block."""
        samples = await self._kept_headers(
            "sample headers",
            "SELECT kind, block, t0, t1, count, max_ns FROM sample_block WHERE trace_key = %s ORDER BY 1, 2",
        )
        slices = await self._kept_headers(
            "slice headers",
            "SELECT kind, block, t0, t1, count, max_ns FROM slice_block WHERE trace_key = %s ORDER BY 1, 2",
        )
        return f'{{"samples":{samples.decode("ascii")},"slices":{slices.decode("ascii")}}}'

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

        return (await self.cache.get(self.trace_key, f"call headers {symbols}", read)).decode("ascii")

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
            cursor = await self.connection.execute(query, (self.trace_key,))
            return json.dumps({str(row[0]): row[1] for row in await cursor.fetchall()}).encode("ascii")

        return (await self.cache.get(self.trace_key, "explained", read)).decode("ascii")

    async def whole(self, table: str) -> bytes:
        """All rows of a small table."""
        return await self.cache.get(self.trace_key, table, lambda: self._copy(table, "TRUE"))

    async def slices(self, window: Window, kinds: list[int]) -> bytes:
        if not kinds:
            return b""
        where = "kind = ANY(%s) AND t1 >= %s AND t0 < %s"
        return await self._copy("slice_block", where, kinds, window.start_ns, window.end_ns)

    async def chosen(self, table: Literal["sample_block", "slice_block"], blocks: list[BlockId]) -> bytes:
        """The blocks of these kinds and numbers."""
        if not blocks:
            return b""
        kinds, numbers = [kind for kind, _ in blocks], [number for _, number in blocks]
        return await self._copy(table, _CHOSEN, kinds, numbers)

    async def sample_slices(self, blocks: list[BlockId]) -> bytes:
        """The blocks of slices without what says nothing of latency samples."""
        if not blocks:
            return b""
        kinds, numbers = [kind for kind, _ in blocks], [number for _, number in blocks]
        return await self._copy("slice_block", _CHOSEN, kinds, numbers, is_for_samples=True)

    async def rollups(self, window: Window, levels: list[tuple[int, int]]) -> bytes:
        if not levels:
            return b""
        where = (
            "(kind, level) IN (SELECT * FROM unnest(%s::smallint[], %s::smallint[])) "
            "AND first_bucket * width_ns < %s AND (last_bucket + 1) * width_ns > %s"
        )
        kinds, numbers = [kind for kind, _ in levels], [level for _, level in levels]
        return await self._copy("rollup_block", where, kinds, numbers, window.end_ns, window.start_ns)

    async def counters(self, window: Window) -> bytes:
        return await self._copy("counter_block", "t1 >= %s AND t0 < %s", window.start_ns, window.end_ns)

    async def stacks(self, window: Window) -> bytes:
        return await self._copy("stack", "t_ns >= %s AND t_ns < %s", window.start_ns, window.end_ns)

    async def events(self, blocks: list[int]) -> bytes:
        if not blocks:
            return b""
        return await self._copy("event_block", "block = ANY(%s)", blocks)

    async def _kept_headers(self, part: str, query: LiteralString) -> bytes:
        async def read() -> bytes:
            return json.dumps(await self._rows(query)).encode("ascii")

        return await self.cache.get(self.trace_key, part, read)

    async def _rows(self, query: LiteralString, *parameters: object) -> list[list[int]]:
        cursor = await self.connection.execute(query, (self.trace_key, *parameters))
        return [list(row) for row in await cursor.fetchall()]

    async def _copy(
        self, table: str, where: LiteralString, *parameters: object, is_for_samples: bool = False
    ) -> bytes:
        """A complete COPY stream of the rows of this trace, in the order of the primary key."""
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
        async with self.connection.cursor().copy(statement, parameters) as copy:
            chunks = [bytes(chunk) async for chunk in copy]
        return b"".join(chunks)


def _decoded(headers: bytes) -> list[list[int]]:
    rows: list[list[int]] = json.loads(headers)
    return rows


_CHOSEN: LiteralString = "(kind, block) IN (SELECT * FROM unnest(%s::smallint[], %s::integer[]))"

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
