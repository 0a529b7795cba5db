"""What belongs to traces besides their own rows: labels, counted diagnostics, and places of loss."""

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import BigInteger, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.store.models import JsonObject

# One statement, since every look at the catalog asks it, and a round trip costs more than each of these.
# json and not jsonb, which would put the labels into an order of its own.
_QUERY = text("""
SELECT key AS trace_key,
    coalesce((
        SELECT json_object_agg(name, value ORDER BY name) FROM label WHERE trace_key = key
    ), '{}') AS labels,
    coalesce((
        SELECT json_agg(to_json(found) ORDER BY first_byte_offset, code)
        FROM diagnostic AS found WHERE trace_key = key
    ), '[]') AS diagnostics,
    (SELECT count(*) FROM loss WHERE trace_key = key) AS loss_count
FROM unnest(:keys) AS key
""").bindparams(bindparam("keys", type_=ARRAY(BigInteger)))


class TraceDetails(NamedTuple):
    """Labels are in alphabetical order; diagnostics, columns by name, in that of their first places."""

    trace_key: int
    labels: dict[str, str]
    diagnostics: list[JsonObject]
    loss_count: int


async def details_of(session: AsyncSession, keys: Iterable[int]) -> dict[int, TraceDetails]:
    """By trace."""
    rows = await session.execute(_QUERY, {"keys": list(keys)})
    return {row.trace_key: row for row in (TraceDetails(*found) for found in rows)}
