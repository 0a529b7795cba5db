"""What distinguishes the two sides of a comparison."""

from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import dict_row

_QUERY = """
SELECT id, name, kernel, tracer, clock, time_unit, time_origin, cpu_count, coalesce(facts, '{}') AS facts
FROM trace WHERE key = %s
"""


async def side_facts(connection: AsyncConnection, trace_key: int) -> dict[str, Any]:
    """The name and the facts of a trace, of any JSON, by the names that answers have for them."""
    cursor = connection.cursor(row_factory=dict_row)
    await cursor.execute(_QUERY, (trace_key,))
    found = await cursor.fetchone()
    return found or {}
