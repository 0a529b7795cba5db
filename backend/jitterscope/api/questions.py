"""Room for questions about the inside of traces: a few at once, a short queue, and a refusal beyond."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import structlog
from fastapi import Request, Response
from fastapi.routing import APIRoute

from jitterscope.api.kept_answers import KeptAnswer, KeptAnswers
from jitterscope.problems import TooManyQuestions
from jitterscope.settings import Settings

_log = structlog.get_logger()

# What the log shows for a client that did not wait; nobody gets to read it.
_CLIENT_GONE = 499


class QuestionSlots:
    """Lets so many questions be worked on at once, in the order in which they came."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._free = asyncio.Semaphore(settings.max_questions)
        self.waiting_count = 0

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """Raises: TooManyQuestions."""
        if self._free.locked() and self.waiting_count >= self._settings.max_waiting_questions:
            raise TooManyQuestions(
                f"{self._settings.max_questions} questions are worked on (JITTERSCOPE_MAX_QUESTIONS) and "
                f"{self.waiting_count} wait (JITTERSCOPE_MAX_WAITING_QUESTIONS); ask again in a moment."
            )
        self.waiting_count += 1
        try:
            async with asyncio.timeout(self._settings.question_wait_seconds):
                await self._free.acquire()
        except TimeoutError as error:
            seconds = self._settings.question_wait_seconds
            raise TooManyQuestions(
                f"Other questions took longer than {seconds:g} s (JITTERSCOPE_QUESTION_WAIT_SECONDS); "
                "ask again in a moment, or for a smaller window."
            ) from error
        finally:
            self.waiting_count -= 1
        try:
            yield
        finally:
            self._free.release()


class QuestionRoute(APIRoute):
    """A call that needs a slot while it is worked on; one whose client goes away is given up.

    The answer is whole before the slot is free, so that a slow line holds none. What has been answered
    about a trace before is answered without a slot.
    """

    is_kept: ClassVar[bool] = True

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:  # Any: FastAPI's own
        answer = super().get_route_handler()

        async def answer_in_slot(request: Request, kept: KeptAnswer | None) -> Response:
            room: QuestionRoom = request.app.state.questions
            if kept is None:
                async with room.slots.one():
                    return await answer(request)
            if (found := await kept.turn()) is not None:
                return found
            with kept.asking():
                async with room.slots.one():
                    response = await answer(request)
                kept.keep(response)
            return response

        async def answer_while_connected(request: Request) -> Response:
            # Read here, so that what is received later can only be the disconnection.
            await request.body()
            room: QuestionRoom = request.app.state.questions
            kept = await room.answers.of(request.scope) if self.is_kept else None
            if kept is not None and (found := kept.find()) is not None:
                return found
            work = asyncio.create_task(answer_in_slot(request, kept))
            gone = asyncio.create_task(_disconnection(request))
            try:
                await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
                if work.done():
                    return work.result()
                # It ends on its own time, and gives its slot back then.
                work.add_done_callback(_forget)
                work.cancel()
                return Response(status_code=_CLIENT_GONE)
            finally:
                gone.cancel()

        return answer_while_connected


class FreshQuestionRoute(QuestionRoute):
    """A question whose answer depends on more than the trace, such as on its labels."""

    is_kept = False


@dataclass(frozen=True)
class QuestionRoom:
    """What all questions share."""

    slots: QuestionSlots
    answers: KeptAnswers


async def _disconnection(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _forget(work: asyncio.Task[Response]) -> None:
    """Nobody waits for what it found; what it broke is still logged."""
    if not work.cancelled() and (error := work.exception()) is not None:
        _log.warning("question_failed_unasked", detail=repr(error))
