"""Which CPUs a trace was recorded with in isolation."""

from psycopg import AsyncConnection

_QUERY = """
SELECT value FROM label WHERE trace_key = %(key)s AND name IN ('isolcpus', 'isolated')
UNION ALL
SELECT trace.facts ->> fact FROM trace, unnest(ARRAY['isolcpus', 'isolated']) AS fact
WHERE trace.key = %(key)s AND trace.facts ? fact
"""


async def isolated_cpus(connection: AsyncConnection, trace_key: int) -> str:
    """What labels and facts list, as the kernel's `isolcpus=` has it; empty if nothing does."""
    cursor = await connection.execute(_QUERY, {"key": trace_key})
    return ",".join(str(row[0]) for row in await cursor.fetchall())
