"""Which workers are there, as the database sees it, and whose work must go to another.

A worker holds an advisory lock under its number, on a connection of its own that it uses all the time.
That distinguishes two ways of failing:

- A worker that died took its connections along, and so its lock: what it had begun is queued again.
- A worker that hangs still has its lock, but its connection has fallen silent. Its open transaction would
  make everybody else wait for the rows of its traces, so all its connections are ended. From then on it
  counts as dead, and if it ever wakes up, it finds no database and exits.

A product role that is no superuser may see its own connections, and end them.
"""

from collections.abc import Sequence

from psycopg import AsyncConnection

from jitterscope.store.jobs import LOAD_QUEUE, LOAD_TASK

# Keeps these locks apart from those of other users of two-part advisory locks.
_LOCK_CLASS = 0x6A7377

# The workers that are there, a row each.
PRESENT = f"""
SELECT locks.objid::bigint AS worker_id, activity.application_name, activity.state_change
  FROM pg_locks AS locks
  JOIN pg_stat_activity AS activity USING (pid)
 WHERE locks.locktype = 'advisory' AND locks.granted
   AND locks.classid = {_LOCK_CLASS} AND locks.objsubid = 2
   AND activity.datname = current_database()
"""  # noqa: S608 (of a constant)
_END_SILENT = f"""
SELECT present.worker_id, count(pg_terminate_backend(activity.pid))
  FROM ({PRESENT}) AS present
  JOIN pg_stat_activity AS activity USING (application_name)
 WHERE present.state_change < clock_timestamp() - make_interval(secs => %(seconds)s)
   AND activity.pid <> pg_backend_pid()
 GROUP BY present.worker_id
"""  # noqa: S608 (of constants)
_ABSENT = f"""
SELECT DISTINCT worker_id
  FROM procrastinate_jobs
 WHERE status = 'doing' AND worker_id NOT IN (SELECT worker_id FROM ({PRESENT}) AS present)
"""  # noqa: S608 (of constants)
# Each row is looked at again under its lock: another worker may have been quicker.
_REQUEUE = """
WITH lost AS (
    SELECT id FROM procrastinate_jobs
     WHERE status = 'doing' AND task_name = %(task)s AND (worker_id IS NULL OR worker_id = ANY (%(absent)s))
       FOR UPDATE SKIP LOCKED
)
SELECT id, procrastinate_retry_job_v2(id, now(), NULL, NULL, NULL) FROM lost
"""
# What recurs anyway needs no second try.
_DROP = """
DELETE FROM procrastinate_jobs
 WHERE status = 'doing' AND task_name <> %(task)s AND (worker_id IS NULL OR worker_id = ANY (%(absent)s))
"""
# A trace and its job are created together. Should a job be lost all the same, its trace would wait for ever.
_REQUEUE_FORGOTTEN = """
INSERT INTO procrastinate_jobs (queue_name, task_name, lock, args)
SELECT %(queue)s, %(task)s, 'trace-' || key, jsonb_build_object('trace_key', key)
  FROM trace
 WHERE status NOT IN ('ready', 'failed')
   AND NOT EXISTS (
        SELECT FROM procrastinate_jobs AS job
         WHERE job.lock = 'trace-' || trace.key AND job.status IN ('todo', 'doing')
   )
RETURNING id
"""


async def appear(connection: AsyncConnection, worker_id: int) -> None:
    """Count as a worker that is there, for as long as the connection lasts."""
    await connection.execute("SELECT pg_advisory_lock(%s, %s)", (_LOCK_CLASS, worker_id))


async def end_silent(connection: AsyncConnection, seconds: float) -> list[int]:
    """Numbers of the workers that hang: silent for that many seconds, their connections now ended."""
    rows = await connection.execute(_END_SILENT, {"seconds": seconds})
    return [worker_id for worker_id, _ in await rows.fetchall()]


async def absent_workers(connection: AsyncConnection) -> list[int]:
    """Numbers of the workers that have begun something and are no longer there."""
    return [worker_id for (worker_id,) in await (await connection.execute(_ABSENT)).fetchall()]


async def requeue(connection: AsyncConnection, absent: Sequence[int]) -> list[int]:
    """Numbers of the jobs that were queued again: those of absent workers and of none.

    A trace that waits without a job gets a new one.
    """
    params = {"queue": LOAD_QUEUE, "task": LOAD_TASK, "absent": list(absent)}
    lost = await (await connection.execute(_REQUEUE, params)).fetchall()
    await connection.execute(_DROP, params)
    forgotten = await (await connection.execute(_REQUEUE_FORGOTTEN, params)).fetchall()
    return [job for job, *_ in [*lost, *forgotten]]
