"""Questions are driven here from a dictionary, as the service drives them from its database."""

import asyncio
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from jitterscope import _ftrace
from jitterscope.explore.driver import drive
from jitterscope.store.rows import Need

_FACTS = json.dumps({"duration_ns": 1_000, "cpus": [0], "origin_ns": "0"}).encode()


@dataclass
class Shelf:
    """Rows by table, and which of them were fetched; a table without rows is empty."""

    rows: dict[str, bytes] = field(default_factory=lambda: {"trace": _FACTS})
    fetched: list[str] = field(default_factory=list)
    kept: dict[str, bytes] = field(default_factory=dict)

    async def fetch(self, need: Need) -> bytes:
        self.fetched.append(need.table)
        return self.rows.get(need.table, b"")

    def keep(self, trace_id: str, name: str, part: bytes) -> None:
        self.kept[name] = part


@dataclass
class Script:
    """A question that says what it was told to, and remembers what it was handed."""

    turns: Sequence["Turn"]
    parts: list[list[bytes]] = field(default_factory=list)

    def go_on(self, parts: list[bytes], is_late: bool) -> "Turn":
        self.parts.append(parts)
        return self.turns[len(self.parts) - 1]


@dataclass
class Turn:
    needs: str = "[]"
    ahead: str = "[]"
    keeps: list[tuple[str, str, bytes]] = field(default_factory=list)
    answer: bytes | None = None


def needs(*tables: str) -> str:
    return json.dumps(
        [{"trace": "x", "table": name, "where": [], "is_for_samples": False} for name in tables]
    )


async def answer(name: str, shelf: Shelf, **parameters: str) -> dict[str, Any]:  # Any: JSON
    question = _ftrace.Question(name, json.dumps({**parameters, "trace": "x"}))
    answered: dict[str, Any] = json.loads(await drive(question, shelf))
    return answered


async def drive_script(shelf: Shelf, *turns: Turn) -> tuple[bytes, list[list[bytes]]]:
    script = Script(turns)
    return await drive(script, shelf), script.parts  # type: ignore[arg-type]


def test_a_question_of_the_core_is_answered_from_a_dictionary() -> None:
    shelf = Shelf()
    assert asyncio.run(answer("functions", shelf)) == {"items": [], "next": None}
    assert shelf.fetched[0] == "trace"
    assert set(shelf.fetched) == {"trace", "function_stat", "task", "symbol"}


def test_mistakes_in_parameters_are_raised_with_their_names() -> None:
    with pytest.raises(_ftrace.RequestError) as caught:
        asyncio.run(answer("events", Shelf(), q="cpu:"))
    assert (caught.value.parameter, caught.value.code) == ("q", "bad_filter")
    with pytest.raises(_ftrace.RequestError, match="no question is"):
        _ftrace.Question("nonsense", "{}")


def test_parts_are_handed_over_in_the_order_of_the_needs() -> None:
    shelf = Shelf({"task": b"tasks", "symbol": b"symbols"})
    turns = (Turn(needs("symbol", "task")), Turn(needs("task")), Turn(answer=b"{}"))
    body, parts = asyncio.run(drive_script(shelf, *turns))
    assert body == b"{}"
    assert parts == [[], [b"symbols", b"tasks"], [b"tasks"]]


def test_what_is_announced_is_fetched_during_the_work_and_only_once() -> None:
    shelf = Shelf({"task": b"tasks", "symbol": b"symbols"})
    turns = (Turn(needs("task"), ahead=needs("symbol")), Turn(needs("symbol")), Turn(answer=b"{}"))
    _, parts = asyncio.run(drive_script(shelf, *turns))
    assert parts[2] == [b"symbols"]
    assert shelf.fetched == ["task", "symbol"]


def test_what_is_worth_keeping_is_kept() -> None:
    shelf = Shelf()
    asyncio.run(drive_script(shelf, Turn(keeps=[("x", "median", b"1")], answer=b"{}")))
    assert shelf.kept == {"median": b"1"}


def test_a_cancelled_question_ends_when_its_work_has() -> None:
    is_over = threading.Event()
    may_end = threading.Event()

    class Slow:
        def go_on(self, parts: list[bytes], is_late: bool) -> Turn:
            if not parts:
                return Turn(needs("task"))
            may_end.wait()
            is_over.set()
            return Turn(answer=b"{}")

    async def cancel() -> None:
        task = asyncio.create_task(drive(Slow(), Shelf({"task": bytes(1 << 20)})))  # type: ignore[arg-type]
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.sleep(0.05)
        assert not task.done()
        may_end.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert is_over.is_set()

    asyncio.run(cancel())
