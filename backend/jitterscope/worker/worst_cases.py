"""The worst cases of a trace that is being loaded, each with its sentence, and rulers for the catalog."""

import json
from dataclasses import dataclass

import structlog
from psycopg import AsyncConnection, Error
from psycopg.types.json import Jsonb
from pydantic import BaseModel, TypeAdapter

from jitterscope import _ftrace
from jitterscope.explore.driver import drive, trace_facts
from jitterscope.ingest.frames import ImportSummary
from jitterscope.store.models import JsonObject
from jitterscope.store.part_cache import LoadParts, PartCache
from jitterscope.store.rows import Need, RowReader

_log = structlog.get_logger()


class _Sentence(BaseModel):
    kind: int
    rank: int
    id: str
    headline: str
    ruler: JsonObject | None


_SENTENCES = TypeAdapter(list[_Sentence])
# One statement for all of them: there may be a hundred of each kind.
_INSERT = """
INSERT INTO latency_explanation (trace_key, kind, rank, id, headline, ruler)
SELECT %s, * FROM unnest(%s::smallint[], %s::integer[], %s::text[], %s::text[], %s::jsonb[])
"""


async def explain_worst_cases(connection: AsyncConnection, trace_key: int, summary: ImportSummary) -> None:
    """Write the sentences and rulers beside the blocks, in the transaction that holds them.

    A trace whose cases cannot be explained is still a trace: what goes wrong is logged, and undone.
    """
    try:
        async with connection.transaction():
            # Of a load that has not ended; nobody else looks at these.
            parts = LoadParts(PartCache(), (trace_key, 0))
            loading = _Loading(RowReader(lambda: _ready(connection), trace_key, parts, parts), summary)
            answer = await drive(_ftrace.Question("worst_cases", "{}"), loading)
            said = _SENTENCES.validate_json(answer)
            columns = [
                [one.kind for one in said],
                [one.rank for one in said],
                [one.id for one in said],
                [one.headline for one in said],
                [one.ruler and Jsonb(one.ruler) for one in said],
            ]
            await connection.execute(_INSERT, (trace_key, *columns))
    except (Error, _ftrace.RequestError, _ftrace.BlockError, RuntimeError, ValueError) as error:
        _log.warning("cases_not_explained", detail=str(error))


@dataclass(frozen=True)
class _Loading:
    """The one trace that this transaction is about to show."""

    reader: RowReader
    summary: ImportSummary

    async def fetch(self, need: Need) -> bytes:
        if need.table == "trace":
            return json.dumps(trace_facts(self.summary)).encode()
        return await self.reader.fetch(need)

    def keep(self, trace_id: str, name: str, part: bytes) -> None:
        """Nobody asks about this trace again before it is ready."""


async def _ready(connection: AsyncConnection) -> AsyncConnection:
    return connection
