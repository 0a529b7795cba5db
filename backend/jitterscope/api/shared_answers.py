"""Answers that change at any time, made once for all who ask for the same at once."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable


class SharedAnswers:
    """While an answer is made, those who ask for it wait for the next, and share that.

    Each answer was begun after its request arrived, so it is as new as if it were made only for it, and a
    crowd costs no more than a few clients.
    """

    def __init__(self) -> None:
        # The answer that is being made, and the one that is not begun yet.
        self._begun: dict[Hashable, asyncio.Task[bytes]] = {}
        self._next: dict[Hashable, asyncio.Task[bytes]] = {}

    async def of(self, name: Hashable, make: Callable[[], Awaitable[bytes]]) -> bytes:
        """What `make` returns, or raises; `name` says all that it depends on."""
        wanted = self._next.get(name)
        if wanted is None:
            wanted = asyncio.create_task(self._make(name, make))
            wanted.add_done_callback(_look_at)
            self._next[name] = wanted
        # If one caller gives up, others still wait for the same answer.
        return await asyncio.shield(wanted)

    async def _make(self, name: Hashable, make: Callable[[], Awaitable[bytes]]) -> bytes:
        while (before := self._begun.get(name)) is not None:
            await asyncio.wait({before})
        self._begun[name] = self._next.pop(name)
        try:
            return await make()
        finally:
            del self._begun[name]


def _look_at(ended: asyncio.Task[bytes]) -> None:
    """Reads the result, or asyncio would log that it was never retrieved when all clients have gone."""
    if not ended.cancelled():
        ended.exception()
