"""A few questions at once, a short queue, and room for everything else."""

import contextlib
import threading
import time
from collections.abc import Iterator

import httpx2
import pytest
from fastapi import APIRouter, FastAPI

from jitterscope.api.connections import server_config
from jitterscope.api.kept_answers import KeptAnswers
from jitterscope.api.problem_documents import add_problem_handlers
from jitterscope.api.questions import FreshQuestionRoute, QuestionRoom, Slots
from jitterscope.explore.threads import in_thread
from jitterscope.settings import Settings
from jitterscope.store.database import Database, page_limits
from tests.api.service import served


class Work:
    """Something that the core is busy with until it is allowed to end."""

    def __init__(self) -> None:
        self.running = 0
        self.most = 0
        self.count = 0
        self.may_end = threading.Event()
        self.slots: Slots | None = None
        self._lock = threading.Lock()

    def __call__(self) -> bytes:
        with self._lock:
            self.running += 1
            self.count += 1
            self.most = max(self.most, self.running)
        self.may_end.wait(10)
        with self._lock:
            self.running -= 1
        return b"done"


@pytest.fixture
def work() -> Iterator[Work]:
    found = Work()
    yield found
    found.may_end.set()


def asking(url: str, count: int, answers: list[int], timeout: float = 20) -> list[threading.Thread]:
    """Threads that each ask once, and note the status."""

    def ask() -> None:
        with contextlib.suppress(httpx2.TimeoutException):
            answers.append(httpx2.get(f"{url}/slow", timeout=timeout, trust_env=False).status_code)

    threads = [threading.Thread(target=ask) for _ in range(count)]
    for thread in threads:
        thread.start()
    return threads


@contextlib.contextmanager
def application(work: Work, **limits: object) -> Iterator[str]:
    """An application whose only question takes as long as the work."""
    settings = Settings.model_validate(limits)
    router = APIRouter(route_class=FreshQuestionRoute)

    @router.get("/slow")
    async def slow() -> str:
        return (await in_thread(work)).decode()

    app = FastAPI()
    database = Database(settings, page_limits(settings))
    room = QuestionRoom.of(settings, KeptAnswers(database, 0))
    work.slots, app.state.questions = room.slots, room
    add_problem_handlers(app)
    app.include_router(router)

    @app.get("/light")
    async def light() -> str:
        return "light"

    with served(server_config(app, settings, log_config=None)) as url:
        yield url


def until(claim: object, seconds: float = 5) -> None:
    assert callable(claim)
    deadline = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_so_many_questions_are_worked_on_and_the_others_wait(work: Work) -> None:
    answers: list[int] = []
    with application(work, max_questions=2, max_waiting_questions=8) as url:
        threads = asking(url, 6, answers)
        until(lambda: work.running == 2)
        assert httpx2.get(f"{url}/light", trust_env=False).status_code == 200
        work.may_end.set()
        for thread in threads:
            thread.join()
    assert answers == [200] * 6
    assert work.most == 2


def test_what_finds_no_room_is_told_when_to_come_back(work: Work) -> None:
    answers: list[int] = []
    with application(work, max_questions=1, max_waiting_questions=0) as url:
        threads = asking(url, 1, answers)
        until(lambda: work.running == 1)
        refused = httpx2.get(f"{url}/slow", trust_env=False)
        assert (refused.status_code, refused.json()["code"]) == (503, "too_many_questions")
        assert int(refused.headers["retry-after"]) > 0
        work.may_end.set()
        threads[0].join()
    assert answers == [200]


def test_nobody_waits_for_long(work: Work) -> None:
    with application(work, max_questions=1, question_wait_seconds=0.2) as url:
        threads = asking(url, 1, [])
        until(lambda: work.running == 1)
        refused = httpx2.get(f"{url}/slow", trust_env=False)
        assert (refused.status_code, refused.json()["code"]) == (503, "too_many_questions")
        work.may_end.set()
        threads[0].join()


def test_a_slot_is_free_when_the_work_ends_and_not_when_the_client_goes(work: Work) -> None:
    with application(work, max_questions=1, max_waiting_questions=0) as url:
        for thread in asking(url, 1, [], timeout=0.2):
            thread.join()
        assert work.running == 1
        assert httpx2.get(f"{url}/slow", trust_env=False).status_code == 503
        work.may_end.set()
        until(lambda: httpx2.get(f"{url}/slow", trust_env=False).status_code == 200)


def test_who_goes_while_waiting_is_not_worked_for(work: Work) -> None:
    with application(work, max_questions=1, max_waiting_questions=4) as url:
        first = asking(url, 1, [])
        until(lambda: work.running == 1)
        for thread in asking(url, 4, [], timeout=0.2):
            thread.join()
        until(lambda: work.slots is not None and work.slots.waiting_count == 0)
        work.may_end.set()
        first[0].join()
        assert httpx2.get(f"{url}/slow", trust_env=False).status_code == 200
        assert work.count == 2
