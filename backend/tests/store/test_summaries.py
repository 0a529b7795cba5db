"""What is read of groups of samples: as much as if each group were read alone."""

import asyncio
from collections.abc import Mapping

import psycopg
import pytest

from jitterscope.settings import Settings
from jitterscope.store.database import Database, page_limits
from jitterscope.store.summaries import Summary, latency_summaries, summaries_by_group

# Of trace 1, CPU 0 has all samples; of trace 2, CPU 0 and CPU 1 have parts of as many.
_ROWS = [
    (1, "all", "", 3, 60, [10, 20, 30], [1, 1, 1]),
    (1, "cpu", "0", 3, 60, [10, 20, 30], [1, 1, 1]),
    (2, "all", "", 4, 100, [10, 20, 30, 40], [1, 1, 1, 1]),
    (2, "cpu", "0", 2, 30, [10, 20], [1, 1]),
    (2, "cpu", "1", 2, 70, [30, 40], [1, 1]),
]
_INSERT = """
INSERT INTO latency_summary VALUES
    (%s, 5, %s, %s, %s, %s::text, 0, 10, 40, 0, 'rt', NULL, 1, %s::bigint[], %s::bigint[])
"""
_Found = dict[tuple[int, str], tuple[list[int], list[int]]]


@pytest.fixture(autouse=True)
def rows(database_url: str) -> None:
    with psycopg.connect(database_url, autocommit=True) as connection:
        kinds = "INSERT INTO latency_kind VALUES (%s, 5, 'wakeup', 4, 10, 40, 100, '{}')"
        connection.cursor().executemany(kinds, [(1,), (2,)])
        connection.cursor().executemany(_INSERT, _ROWS)


def _groups(*, changed: Mapping[str, object] | None = None, with_wholes: bool = True) -> tuple[_Found, int]:
    """The histograms of CPUs, and how many of them are those of whole traces that were read before."""

    async def read() -> tuple[_Found, int]:
        settings = Settings()
        database = Database(settings, page_limits(settings))
        async with database.session() as session:
            wholes = await latency_summaries(session, [1, 2], "wakeup", "all", "")
            wholes = {key: Summary(**vars(whole) | dict(changed or {})) for key, whole in wholes.items()}
            given = wholes if with_wholes else None
            found = await summaries_by_group(session, [1, 2], "wakeup", "cpu", ["0", "1"], given)
        await database.close()
        shared = sum(one.values_ns is wholes[one.trace_key].values_ns for _, one in found)
        return {
            (one.trace_key, name): (one.values_ns.tolist(), one.value_counts.tolist()) for name, one in found
        }, shared

    return asyncio.run(read())


def test_a_group_of_all_samples_is_read_once() -> None:
    alone, none_shared = _groups(with_wholes=False)
    assert alone == {
        (key, name): (values, counts) for key, by, name, *_, values, counts in _ROWS if by == "cpu"
    }
    assert none_shared == 0
    assert _groups() == (alone, 1)


@pytest.mark.parametrize("changed", [{"count": 4}, {"total_ns": 61}])
def test_a_group_of_other_samples_is_read(changed: dict[str, object]) -> None:
    assert _groups(changed=changed) == _groups(with_wholes=False)
