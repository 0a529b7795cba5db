"""Which blocks hold what is asked for, by the arrays that each keeps beside its records."""

import asyncio
import struct
import time

import psycopg
import pytest

from jitterscope.settings import Settings
from jitterscope.store.part_cache import LoadParts, PartCache
from jitterscope.store.rows import Holds, Need, RowReader

_INSERT = """
INSERT INTO event_block (
    trace_key, block, t0, t1, count, first_seq,
    dt, context_idx, message_idx, cpu, task, flags, type, args, buffer
)
SELECT 1, block, 0, 9, 1, block, '{0}', '{0}', '{0}', ARRAY[block % 4], ARRAY[block, NULL], '{0}',
    ARRAY[block % 7], '{""}', '{0}'
FROM generate_series(0, 999) AS block
"""


@pytest.fixture(autouse=True)
def blocks(database_url: str) -> None:
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(_INSERT)


def block_numbers(stream: bytes) -> list[int]:
    """Of the rows (trace_key, block, t0, t1, count) of a binary COPY stream: each field behind its length."""
    row = struct.Struct(">h iq ii iq iq ii")
    rows = stream[19:-2]
    return [fields[4] for fields in row.iter_unpack(rows)]


def holding(**wanted: list[int]) -> list[int]:
    """Numbers of the blocks that hold one of each."""
    where = tuple(Holds(holds=(column, tuple(values))) for column, values in wanted.items())

    async def ask() -> list[int]:
        async with await psycopg.AsyncConnection.connect(Settings().conninfo) as connection:

            async def connect() -> psycopg.AsyncConnection:
                return connection

            parts = LoadParts(PartCache(), (1, 1))
            need = Need(trace="x", table="event_header", where=where, is_for_samples=False)
            return block_numbers(await RowReader(connect, 1, parts, parts).fetch(need))

    return asyncio.run(ask())


def test_each_list_must_have_one_in_the_block() -> None:
    assert len(holding()) == 1000
    assert holding(task=[5, 999, 1000]) == [5, 999]
    assert holding(cpu=[3], type=[6], task=list(range(30))) == [27]
    assert holding(type=[]) == []


def test_as_many_tasks_as_a_trace_can_have_are_looked_for_quickly() -> None:
    began = time.monotonic()
    assert holding(task=[7, *range(1000, 65_536)]) == [7]
    # Comparing each with each takes seconds.
    assert time.monotonic() - began < 1
