"""Room for questions about the inside of traces: a few at once, a short queue, and a refusal beyond."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import structlog
from fastapi import Request, Response
from fastapi.routing import APIRoute

from jitterscope.api.kept_answers import KeptAnswer, KeptAnswers
from jitterscope.problems import AppError, TooManyQuestions, TooManyStatements
from jitterscope.settings import Settings

_log = structlog.get_logger()

# The status in the log for a client that did not wait; it is never sent.
_CLIENT_GONE = 499


@dataclass(frozen=True)
class Work:
    """A sort of work with its own room; `at_once` and `waiting` are names of settings."""

    at_once: str
    waiting: str
    refusal: type[AppError]
    # In words: what is done, whose others are waited for, and what to do when that took too long.
    is_done: str
    others: str
    way_out: str


# About the inside of traces.
QUESTIONS = Work(
    at_once="max_questions",
    waiting="max_waiting_questions",
    refusal=TooManyQuestions,
    is_done="questions are worked on",
    others="questions",
    way_out="try again in a moment, or for a smaller window",
)
# Answers that are as long as the trace, whose end depends on who reads them.
STREAMS = Work(
    at_once="max_streams",
    waiting="max_waiting_questions",
    refusal=TooManyQuestions,
    is_done="exports or whole lists are sent",
    others="exports",
    way_out="try again when they have ended",
)
# Statements of people, which take no room from the questions of pages.
STATEMENTS = Work(
    at_once="max_sql_statements",
    waiting="max_waiting_sql_statements",
    refusal=TooManyStatements,
    is_done="statements are running",
    others="statements",
    way_out="try again in a moment",
)


class Slots:
    """Lets a number of questions be worked on at once, in the order in which they came."""

    def __init__(self, work: Work, settings: Settings) -> None:
        self._work = work
        self._at_once: int = getattr(settings, work.at_once)
        self._max_waiting: int = getattr(settings, work.waiting)
        self._wait_seconds = settings.question_wait_seconds
        self._free = asyncio.Semaphore(self._at_once)
        self.waiting_count = 0

    def _full(self) -> AppError:
        """What is said where no more may wait."""
        work = self._work
        return work.refusal(
            f"{self._at_once} {work.is_done} (JITTERSCOPE_{work.at_once.upper()}) and "
            f"{self.waiting_count} wait (JITTERSCOPE_{work.waiting.upper()}); try again in a moment."
        )

    def _late(self) -> AppError:
        """What is said to who waited in vain."""
        return self._work.refusal(
            f"Other {self._work.others} took longer than {self._wait_seconds:g} s "
            f"(JITTERSCOPE_QUESTION_WAIT_SECONDS); {self._work.way_out}."
        )

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """Raises: TooManyQuestions, TooManyStatements."""
        if self._free.locked() and self.waiting_count >= self._max_waiting:
            raise self._full()
        self.waiting_count += 1
        try:
            async with asyncio.timeout(self._wait_seconds):
                await self._free.acquire()
        except TimeoutError as error:
            raise self._late() from error
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

    def slots(self, room: "QuestionRoom") -> Slots:
        return room.slots

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:  # Any: FastAPI's own
        answer = super().get_route_handler()

        async def answer_in_slot(request: Request, kept: KeptAnswer | None) -> Response:
            room: QuestionRoom = request.app.state.questions
            if kept is None:
                async with self.slots(room).one():
                    return await answer(request)
            if (found := await kept.turn()) is not None:
                return found
            with kept.asking():
                async with self.slots(room).one():
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


class SqlRoute(FreshQuestionRoute):
    """A statement of somebody's own."""

    def slots(self, room: "QuestionRoom") -> Slots:
        return room.sql_slots


@dataclass(frozen=True)
class QuestionRoom:
    """What all questions have in common."""

    slots: Slots
    stream_slots: Slots
    sql_slots: Slots
    answers: KeptAnswers

    @classmethod
    def of(cls, settings: Settings, answers: KeptAnswers) -> Self:
        """With the room that the settings give."""
        slots, stream_slots, sql_slots = (Slots(work, settings) for work in (QUESTIONS, STREAMS, STATEMENTS))
        return cls(slots, stream_slots, sql_slots, answers)


async def _disconnection(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _forget(work: asyncio.Task[Response]) -> None:
    """Nobody waits for what it found; what it broke is still logged."""
    if not work.cancelled() and (error := work.exception()) is not None:
        _log.warning("question_failed_unasked", detail=repr(error))
