"""Events one by one, filtered, a page at a time."""

import json
import time

from jitterscope import _ftrace
from jitterscope.explore.question import Parameters, Question, ask, compute
from jitterscope.store.database import Database

# No further step of a search begins after this long: the page is answered as it is, with a cursor to go on.
_SEARCH_SECONDS = 0.03
_BEGIN, _NEXT = b'{"items":[', b'],"next":'


async def events(database: Database, trace_id: str, parameters: Parameters) -> bytes:
    """JSON of `schemas.events.EventPage`; a page may be short, or empty, and still have a next one."""
    until = time.monotonic() + _SEARCH_SECONDS
    items: list[bytes] = []
    found = 0
    async with ask(database, trace_id, parameters) as asked:
        question, blocks = asked, asked.blocks
        headers = await blocks.event_headers()
        dictionaries = (await blocks.whole("task"), await blocks.whole("event_type"))
        holding = json.dumps(await blocks.events_holding(await question.wanted()))
        limit = int(str(parameters["limit"]))
        steps = 0
        while True:
            answer = await _step(question, headers, holding, dictionaries)
            page = _Page(answer)
            items += [page.items] if page.items else []
            found += page.count
            if page.next is None or found >= limit or time.monotonic() > until:
                return b"%b%b%b%b}" % (_BEGIN, b",".join(items), _NEXT, json.dumps(page.next).encode())
            steps += 1
            question = question.continued(page.next, limit - found, steps)


class _Page:
    """A page of the core taken apart without reading its events, which are many.

    {"items":[{"seq":0,"t":0, ... "args":{"vec":1}, ...},{"seq":1, ...}],"next":"at-2"}
    """

    def __init__(self, answer: bytes) -> None:
        end = answer.rindex(_NEXT)
        self.items = answer[len(_BEGIN) : end]
        self.next: str | None = json.loads(answer[end + len(_NEXT) : -1])
        # Every event begins like this, and so may its arguments; within a string the quotes are escaped.
        self.count = self.items.count(b'{"seq":') - self.items.count(b'"args":{"seq":')


async def _step(question: Question, headers: str, holding: str, dictionaries: tuple[bytes, bytes]) -> bytes:
    """The next matches within a bounded number of blocks."""
    plan = _ftrace.plan_events(question.request, headers, holding)
    numbers = [block for block, _ in json.loads(plan)["blocks"]]
    event_block = await question.blocks.events(numbers)
    return await compute(_ftrace.events, question.request, plan, event_block, *dictionaries)
