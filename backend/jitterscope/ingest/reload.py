"""Reading a stored file again."""

import asyncio

from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.problems import FileMissingHere, TraceNotReady
from jitterscope.store import jobs, traces
from jitterscope.store.blobs import BlobStore
from jitterscope.store.database import Database
from jitterscope.store.loads import notify
from jitterscope.store.models import Trace, TraceStatus

_RELOAD_SECONDS = 30
# What kept a file from being read that is not in the file: the disk, a crash, a limit that can be raised.
_CURABLE = ("io", "crash", "limit")


def may_help(trace: Trace) -> bool:
    """Whether the trace failed for a reason that may be gone."""
    return trace.status == TraceStatus.FAILED and (trace.error or {}).get("class") in _CURABLE


async def queue_again(session: AsyncSession, trace: Trace) -> Trace:
    """The same trace, queued, without what was read from its file. The content must be locked."""
    await notify(session, trace.key)
    again = await traces.begin_again(session, trace)
    await jobs.defer_load(session, again.key)
    return again


async def reload_trace(database: Database, blobs: BlobStore, trace_id: str) -> Trace:
    """The trace, queued to be read from its stored file once more.

    Raises: NotFound, TraceNotReady if it is being loaded anyway, FileMissingHere if there is no file to read.
    """
    async with database.lasting(_RELOAD_SECONDS) as session:
        trace = await traces.find_and_lock(session, trace_id)
        if not TraceStatus(trace.status).is_final:
            raise TraceNotReady(f"The trace is {trace.status}; it is being loaded already.")
        # What was read from a file is not given up for one that is not there.
        if not await asyncio.to_thread(blobs.has, trace.sha256):
            raise FileMissingHere(
                "The file of this trace is not in this server's store; upload the same file again, which "
                "loads it, too."
            )
        return await queue_again(session, trace)
