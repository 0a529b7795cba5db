"""The way into the application, for a crowd."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from jitterscope.api.door import Door

CROWD = 50
TURNS = 5
TRACE = "/api/v1/traces/24sh5tesqht7/"

Answer = Callable[[str], Coroutine[Any, Any, None]]


async def _receive() -> Message:
    return {"type": "http.disconnect"}


async def _send(message: Message) -> None:
    raise AssertionError(message)


def _door(answer: Answer) -> Answer:
    """A request to a path of the service or, where it has no slash, of a trace; through a door of its own."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await answer(scope["path"].removeprefix(TRACE))

    door = Door(app)

    async def ask(path: str) -> None:
        whole = path if path.startswith("/") else TRACE + path
        await door({"type": "http", "method": "GET", "path": whole}, _receive, _send)

    return ask


def test_who_is_inside_gets_on_before_the_crowd_comes_in() -> None:
    inside = most = 0
    ended = []

    async def answer(path: str) -> None:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        for _ in range(TURNS):
            await asyncio.sleep(0)
        inside -= 1
        ended.append(path)

    async def crowd() -> None:
        ask = _door(answer)
        await asyncio.gather(*(ask(str(number)) for number in range(CROWD)))

        assert most <= TURNS + 2
        assert ended == [str(number) for number in range(CROWD)]

    asyncio.run(crowd())


def test_nobody_waits_for_what_another_request_waits_for() -> None:
    released = asyncio.Event()

    async def answer(path: str) -> None:
        if path == "slow":
            await released.wait()

    async def crowd() -> None:
        ask = _door(answer)
        slow = [asyncio.create_task(ask("slow")) for _ in range(CROWD)]
        async with asyncio.timeout(5):
            await asyncio.gather(*(ask("quick") for _ in range(CROWD)))
        assert not any(task.done() for task in slow)
        released.set()
        await asyncio.gather(*slow)

    asyncio.run(crowd())


def test_a_request_that_is_given_up_at_the_door_keeps_nobody_out() -> None:
    answered = []

    async def answer(path: str) -> None:
        answered.append(path)

    async def crowd() -> None:
        ask = _door(answer)
        tasks = [asyncio.create_task(ask(str(number))) for number in range(CROWD)]
        await asyncio.sleep(0)
        for task in tasks[1::2]:
            task.cancel()
        await asyncio.wait(tasks)

        assert set(answered) >= {str(number) for number in range(0, CROWD, 2)}
        assert len(answered) < CROWD

    asyncio.run(crowd())


def test_what_is_no_question_about_a_trace_passes_by() -> None:
    answered = []

    async def answer(path: str) -> None:
        answered.append(path)

    async def crowd() -> None:
        ask = _door(answer)
        questions = [asyncio.create_task(ask("question")) for _ in range(CROWD)]
        others = [asyncio.create_task(ask(path)) for path in ("/healthz", "/api/v1/traces")]
        await asyncio.wait([*questions, *others])

        assert answered[1:3] == ["/healthz", "/api/v1/traces"]

    asyncio.run(crowd())


def test_after_a_crowd_the_door_is_open_at_once() -> None:
    came_in = []

    async def answer(path: str) -> None:
        came_in.append(path)

    async def crowd() -> None:
        ask = _door(answer)
        await asyncio.gather(*(ask("crowd") for _ in range(CROWD)))
        # As many rounds as the door needs to see that nobody waits.
        await asyncio.sleep(0.01)
        last = asyncio.create_task(ask("last"))
        await asyncio.sleep(0)
        assert came_in[-1] == "last"
        await last

    asyncio.run(crowd())
