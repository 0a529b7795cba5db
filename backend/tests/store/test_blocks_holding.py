"""Which blocks hold what is asked for, by the arrays that each keeps beside its records."""

import asyncio
import time

import psycopg
import pytest

from jitterscope.settings import Settings
from jitterscope.store.blocks import BlockReader, Wanted
from jitterscope.store.part_cache import LoadParts, PartCache

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


def holding(**wanted: list[int]) -> list[int] | None:
    async def ask() -> list[int] | None:
        async with await psycopg.AsyncConnection.connect(Settings().libpq_url) as connection:

            async def connect() -> psycopg.AsyncConnection:
                return connection

            parts = LoadParts(PartCache(), (1, 1))
            reader = BlockReader(connect, 1, parts, parts)
            nothing = {"cpus": None, "tasks": None, "types": None}
            return await reader.events_holding(Wanted.model_validate(nothing | wanted))

    return asyncio.run(ask())


def test_each_list_must_have_one_in_the_block() -> None:
    assert holding() is None
    assert holding(tasks=[5, 999, 1000]) == [5, 999]
    assert holding(cpus=[3], types=[6], tasks=list(range(30))) == [27]
    assert holding(types=[]) == []


def test_as_many_tasks_as_a_trace_can_have_are_looked_for_quickly() -> None:
    began = time.monotonic()
    assert holding(tasks=[7, *range(1000, 65_536)]) == [7]
    # Comparing each with each takes seconds.
    assert time.monotonic() - began < 1
