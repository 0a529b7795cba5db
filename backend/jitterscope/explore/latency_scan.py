"""Answers from any number of latency samples: blocks are fetched while those before them are worked on."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, TypeAdapter

from jitterscope import _ftrace
from jitterscope.explore.question import Question, compute
from jitterscope.explore.threads import in_thread
from jitterscope.store.blocks import BlockId

# Fetched bytes that are kept from one pass to the next, so that small traces are read once.
_MAX_KEPT_BYTES = 32 << 20

# JSON of the core where it takes the samples to answer.
NO_ANSWER = b"null"

Purpose = Literal["list", "stats", "series", "check"]
Fetched = tuple[bytes, bytes, bytes]


class Step(BaseModel):
    """Blocks that are fetched at once."""

    samples: list[BlockId]
    slices: list[BlockId]
    events: list[int]


class Series(BaseModel):
    """What has to be known here of a field that samples are made of; the rest is the core's own."""

    types: list[int]
    is_stored: bool


_STEPS = TypeAdapter(list[Step])


async def latency_answer(question: Question, purpose: Purpose) -> bytes:
    """JSON of the answer; memory does not grow with the number of samples."""
    tables = await latency_tables(question)
    headers = await sample_headers(question)
    scan = await in_thread(_ftrace.LatencyScan, purpose, question.request, headers, tables)
    source = _Source(question)
    while (steps := await in_thread(scan.next_pass)) is not None:
        await _pass(scan, source, _STEPS.validate_json(steps))
    return await in_thread(scan.answer)


async def with_series(question: Question) -> Question:
    """The question with the field of events that it is about, if it is about one.

    Raises: InvalidParameter.
    """
    blocks = question.blocks
    tables = (await blocks.whole("event_type"), await blocks.whole("event_field"))
    found = await compute(_ftrace.field_series, question.request, *tables)
    if found == NO_ANSWER:
        return question
    series = Series.model_validate_json(found)
    asked = question.with_parameters({"series": json.loads(found)})
    return replace(asked, event_types=None if series.is_stored else series.types)


async def sample_headers(question: Question) -> str:
    """JSON of the headers of all blocks that can hold samples that match."""
    if question.event_types is None:
        return await question.blocks.latency_headers(await question.wanted())
    return f'{{"events":{await question.blocks.event_headers_of(question.event_types)}}}'


async def latency_tables(question: Question) -> _ftrace.LatencyTables:
    blocks = question.blocks
    return _ftrace.LatencyTables(
        await blocks.whole("task"),
        await blocks.whole("symbol"),
        await blocks.explained(),
        await blocks.whole("latency_kind"),
        await blocks.whole("latency_incomplete"),
        await blocks.whole("event_type"),
    )


async def _pass(scan: _ftrace.LatencyScan, source: "_Source", steps: Sequence[Step]) -> None:
    """Hands every step's blocks to the core, until it has enough; the next ones are fetched meanwhile."""
    ahead: Iterator[Step] = iter(steps)
    step = next(ahead, None)
    fetched = await source.fetch(step) if step else None
    while fetched is not None:
        work = asyncio.create_task(in_thread(scan.add, *fetched))
        step = next(ahead, None)
        try:
            fetched = await source.fetch(step) if step else None
        finally:
            is_enough = await work
        if is_enough:
            return


class _Source:
    """The blocks of one question."""

    def __init__(self, question: Question) -> None:
        self._blocks = question.blocks
        self._kept: dict[str, Fetched] = {}
        self._kept_bytes = 0

    async def fetch(self, step: Step) -> Fetched:
        name = step.model_dump_json()
        if (kept := self._kept.get(name)) is not None:
            return kept
        fetched = (
            await self._blocks.chosen("sample_block", step.samples),
            await self._blocks.sample_slices(step.slices),
            await self._blocks.events(step.events),
        )
        size = sum(map(len, fetched))
        if self._kept_bytes + size <= _MAX_KEPT_BYTES:
            self._kept[name] = fetched
            self._kept_bytes += size
        return fetched
