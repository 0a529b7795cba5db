"""The job queue's side of a transaction."""

import json

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

LOAD_QUEUE = "load"
LOAD_TASK = "load_trace"

_DEFER = text(
    """
    SELECT procrastinate_defer_jobs_v1(ARRAY[
        ROW(:queue, :task, 0, :lock, NULL, CAST(:args AS jsonb), NULL)::procrastinate_job_to_defer_v1
    ])
    """
)


async def defer_load(session: AsyncSession, trace_key: int) -> None:
    """Queue the loading of a trace; the job exists if and only if the transaction commits."""
    await session.execute(
        _DEFER,
        {
            "queue": LOAD_QUEUE,
            "task": LOAD_TASK,
            # At most one worker at a time loads a trace.
            "lock": f"trace-{trace_key}",
            "args": json.dumps({"trace_key": trace_key}),
        },
    )
