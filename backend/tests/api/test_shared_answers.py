"""Answers shared by those who ask at once: few are made, and none is older than a request that it answers."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from jitterscope.api.shared_answers import SharedAnswers


class Maker:
    """Makes answers that say how many were begun before; each takes until it is let go."""

    def __init__(self) -> None:
        self.begun = 0
        self.may_end = asyncio.Event()

    async def __call__(self) -> bytes:
        self.begun += 1
        number = self.begun
        await self.may_end.wait()
        return str(number).encode()


async def settle() -> None:
    """Lets every task run until it has to wait."""
    for _ in range(20):
        await asyncio.sleep(0)


def running(work: Callable[[SharedAnswers, Maker], Awaitable[None]]) -> None:
    async def run() -> None:
        async with asyncio.timeout(10):
            await work(SharedAnswers(), Maker())

    asyncio.run(run())


def test_a_crowd_is_answered_by_two() -> None:
    async def work(shared: SharedAnswers, make: Maker) -> None:
        first = asyncio.create_task(shared.of("catalog", make))
        await settle()
        crowd = [asyncio.create_task(shared.of("catalog", make)) for _ in range(100)]
        await settle()
        # What was begun before the crowd came may be older than what it asks for.
        assert make.begun == 1
        make.may_end.set()
        assert await first == b"1"
        assert await asyncio.gather(*crowd) == [b"2"] * 100
        assert await shared.of("catalog", make) == b"3"

    running(work)


def test_others_names_are_other_answers() -> None:
    async def work(shared: SharedAnswers, make: Maker) -> None:
        asked = [asyncio.create_task(shared.of(name, make)) for name in ("one", "other")]
        make.may_end.set()
        assert sorted(await asyncio.gather(*asked)) == [b"1", b"2"]

    running(work)


def test_who_gives_up_takes_the_answer_from_nobody() -> None:
    async def work(shared: SharedAnswers, make: Maker) -> None:
        impatient = asyncio.create_task(shared.of("catalog", make))
        patient = asyncio.create_task(shared.of("catalog", make))
        await settle()
        impatient.cancel()
        await settle()
        make.may_end.set()
        assert await patient == b"1"

    running(work)


def test_a_failure_is_everybodys_and_of_no_later_request() -> None:
    async def fail() -> bytes:
        raise ValueError("no database")

    async def work(shared: SharedAnswers, make: Maker) -> None:
        asked = [asyncio.create_task(shared.of("catalog", fail)) for _ in range(3)]
        for one in asked:
            with pytest.raises(ValueError, match="no database"):
                await one
        make.may_end.set()
        assert await shared.of("catalog", make) == b"1"

    running(work)
