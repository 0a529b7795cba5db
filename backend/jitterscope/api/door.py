"""The way in for questions: they are let in one by one, so that those who are inside get on first."""

import asyncio
from collections import deque

from starlette.types import ASGIApp, Receive, Scope, Send

from jitterscope.api.kept_answers import trace_asked_about
from jitterscope.api.layer import Layer


class Door(Layer):
    """Lets one question in for each round of the event loop, in the order in which they came.

    A question needs the loop several times, once for each answer of the database and of the core, and a
    round lasts as long as all that is ready in it. Where a crowd comes in at once, each of these turns
    waits for the first turns of the whole crowd. With the door it waits for one of them. Nobody waits
    for what a question does elsewhere: however long it takes, the next one comes in with the next round.
    All other requests, such as whether the service is well, pass by.
    """

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app)
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._is_shut = False

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        if trace_asked_about(scope) is not None:
            await self._enter()
        await self._app(scope, receive, send)

    async def _enter(self) -> None:
        loop = asyncio.get_running_loop()
        if self._is_shut:
            turn = loop.create_future()
            self._waiting.append(turn)
            await turn
        else:
            self._is_shut = True
            loop.call_soon(self._open)

    def _open(self) -> None:
        """Lets the next one in; the door is shut again until the round after that."""
        while self._waiting:
            turn = self._waiting.popleft()
            # One that was given up has no use for its turn.
            if not turn.done():
                turn.set_result(None)
                asyncio.get_running_loop().call_soon(self._open)
                return
        self._is_shut = False
