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
from jitterscope.problems import AppError, TooManyQuestions, TooManyStatements
from jitterscope.settings import Settings

_log = structlog.get_logger()

# What the log shows for a client that did not wait; nobody gets to read it.
_CLIENT_GONE = 499


class Slots:
    """Lets so many be worked on at once, in the order in which they came."""

    def __init__(self, at_once: int, waiting: int, wait_seconds: float) -> None:
        self._max_waiting = waiting
        self._wait_seconds = wait_seconds
        self._free = asyncio.Semaphore(at_once)
        self.waiting_count = 0

    def _full(self) -> AppError:
        """What is said where no more may wait."""
        raise NotImplementedError

    def _late(self) -> AppError:
        """What is said to who waited in vain."""
        raise NotImplementedError

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


class QuestionSlots(Slots):
    """For questions about the inside of traces."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(
            settings.max_questions, settings.max_waiting_questions, settings.question_wait_seconds
        )
        self._settings = settings

    def _full(self) -> AppError:
        return TooManyQuestions(
            f"{self._settings.max_questions} questions are worked on (JITTERSCOPE_MAX_QUESTIONS) and "
            f"{self.waiting_count} wait (JITTERSCOPE_MAX_WAITING_QUESTIONS); ask again in a moment."
        )

    def _late(self) -> AppError:
        seconds = self._settings.question_wait_seconds
        return TooManyQuestions(
            f"Other questions took longer than {seconds:g} s (JITTERSCOPE_QUESTION_WAIT_SECONDS); "
            "ask again in a moment, or for a smaller window."
        )


class StreamSlots(Slots):
    """For answers that are as long as the trace, whose end depends on who reads them."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings.max_streams, settings.max_waiting_questions, settings.question_wait_seconds)
        self._settings = settings

    def _full(self) -> AppError:
        return TooManyQuestions(
            f"{self._settings.max_streams} exports or whole lists are sent (JITTERSCOPE_MAX_STREAMS) and "
            f"{self.waiting_count} wait (JITTERSCOPE_MAX_WAITING_QUESTIONS); ask again in a moment."
        )

    def _late(self) -> AppError:
        seconds = self._settings.question_wait_seconds
        return TooManyQuestions(
            f"Other exports took longer than {seconds:g} s (JITTERSCOPE_QUESTION_WAIT_SECONDS); "
            "ask again when they have ended."
        )


class SqlSlots(Slots):
    """For statements of people, which take no room from the questions of pages."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(
            settings.max_sql_statements, settings.max_waiting_sql_statements, settings.question_wait_seconds
        )
        self._settings = settings

    def _full(self) -> AppError:
        return TooManyStatements(
            f"{self._settings.max_sql_statements} statements are running (JITTERSCOPE_MAX_SQL_STATEMENTS) "
            f"and {self.waiting_count} wait (JITTERSCOPE_MAX_WAITING_SQL_STATEMENTS); try again in a moment."
        )

    def _late(self) -> AppError:
        seconds = self._settings.question_wait_seconds
        return TooManyStatements(
            f"Other statements took longer than {seconds:g} s (JITTERSCOPE_QUESTION_WAIT_SECONDS); "
            "try again in a moment."
        )


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
    """What all questions share."""

    slots: QuestionSlots
    # Of answers that are as long as the trace, whose end depends on who reads them.
    stream_slots: StreamSlots
    answers: KeptAnswers
    sql_slots: SqlSlots


async def _disconnection(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _forget(work: asyncio.Task[Response]) -> None:
    """Nobody waits for what it found; what it broke is still logged."""
    if not work.cancelled() and (error := work.exception()) is not None:
        _log.warning("question_failed_unasked", detail=repr(error))
