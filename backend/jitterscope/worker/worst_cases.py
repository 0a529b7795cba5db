"""The worst cases of a trace that is being loaded, explained in one sentence each."""

import asyncio
import json
from dataclasses import dataclass

import structlog
from psycopg import AsyncConnection, Error
from pydantic import BaseModel, TypeAdapter

from jitterscope import _ftrace
from jitterscope.ingest.summary import ImportSummary
from jitterscope.store.blocks import BlockId, BlockReader, Window
from jitterscope.store.part_cache import LoadParts, PartCache

_log = structlog.get_logger()


class _Batch(BaseModel, extra="allow"):
    """Cases beside each other, and the blocks that explain them; the rest is the core's own."""

    slices: list[BlockId]
    events: list[int]
    start_ns: int
    end_ns: int


class _Sentence(BaseModel):
    kind: int
    rank: int
    id: str
    headline: str


_BATCHES = TypeAdapter(list[_Batch])
_SENTENCES = TypeAdapter(list[_Sentence])
_INSERT = """
INSERT INTO latency_explanation (trace_key, kind, rank, id, headline) VALUES (%s, %s, %s, %s, %s)
"""


async def explain_worst_cases(connection: AsyncConnection, trace_key: int, summary: ImportSummary) -> None:
    """Write the sentences beside the blocks, in the transaction that holds them.

    A trace whose cases cannot be explained is still a trace: what goes wrong is logged, and undone.
    """
    try:
        async with connection.transaction():
            # Of a load that has not ended; nobody else looks at these.
            parts = LoadParts(PartCache(), (trace_key, 0))
            reader = BlockReader(lambda: _ready(connection), trace_key, parts, parts)
            await _Explaining(reader, summary).run()
    except (Error, _ftrace.RequestError, _ftrace.BlockError, RuntimeError, ValueError) as error:
        _log.warning("cases_not_explained", detail=str(error))


@dataclass(frozen=True)
class _Explaining:
    blocks: BlockReader
    summary: ImportSummary

    async def run(self) -> None:
        blocks = self.blocks
        request = json.dumps({"trace": {"origin_ns": str(self.summary.origin_ns)}})
        names = (await blocks.whole("task"), await blocks.whole("symbol"))
        plan = await asyncio.to_thread(
            _ftrace.plan_worst_cases,
            request,
            await blocks.latency_headers(),
            await blocks.event_headers(),
            await blocks.whole("latency_case"),
            *names,
        )
        known = {"switched_cpus": await blocks.switched_cpus()}
        for batch in _BATCHES.validate_json(plan):
            window = Window(blocks.trace_key, batch.start_ns, batch.end_ns + 1)
            answer = await asyncio.to_thread(
                _ftrace.explain_worst_cases,
                request,
                batch.model_dump_json(),
                json.dumps(known),
                await blocks.chosen("slice_block", batch.slices),
                await blocks.events(batch.events),
                await blocks.counters(window),
                await blocks.whole("loss"),
                *names,
                await blocks.whole("event_type"),
                await blocks.whole("counter"),
            )
            await self._store(_SENTENCES.validate_json(answer))

    async def _store(self, sentences: list[_Sentence]) -> None:
        rows = [(self.blocks.trace_key, one.kind, one.rank, one.id, one.headline) for one in sentences]
        connection = await self.blocks.connect()
        async with connection.cursor() as cursor:
            await cursor.executemany(_INSERT, rows)


async def _ready(connection: AsyncConnection) -> AsyncConnection:
    return connection
