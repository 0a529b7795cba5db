"""Events one by one, filtered, a page at a time."""

import json
import time
from typing import Any

from jitterscope import _ftrace
from jitterscope.explore.question import Parameters, Question, ask, compute
from jitterscope.store.database import Database

# A rare event is searched for this long before the page is answered as it is, with a cursor to go on.
_SEARCH_SECONDS = 1.0
_LAST_PAGE = b'"next":null}'


async def events(database: Database, trace_id: str, parameters: Parameters) -> bytes:
    """JSON of `schemas.events.EventPage`; a page may be short, or empty, and still have a next one."""
    until = time.monotonic() + _SEARCH_SECONDS
    items: list[Any] = []  # Any: JSON that is passed on as it is
    async with ask(database, trace_id, parameters) as asked:
        question, blocks = asked, asked.blocks
        headers = await blocks.event_headers()
        dictionaries = (await blocks.whole("task"), await blocks.whole("event_type"))
        limit = int(str(parameters["limit"]))
        while True:
            answer = await _step(question, headers, dictionaries)
            if not items and answer.endswith(_LAST_PAGE):
                return answer
            page = json.loads(answer)
            items += page["items"]
            is_over = page["next"] is None or len(items) >= limit or time.monotonic() > until
            if is_over:
                return json.dumps({"items": items, "next": page["next"]}).encode()
            question = question.continued(page["next"], limit - len(items))


async def _step(question: Question, headers: str, dictionaries: tuple[bytes, bytes]) -> bytes:
    """The next matches within a bounded number of blocks."""
    plan = _ftrace.plan_events(question.request, headers)
    numbers = [block for block, _ in json.loads(plan)["blocks"]]
    event_block = await question.blocks.events(numbers)
    return await compute(_ftrace.events, question.request, plan, event_block, *dictionaries)
