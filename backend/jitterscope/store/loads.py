"""The states that a trace goes through while it is loaded, each change fenced by the attempt."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.store.models import JsonObject, Trace, TraceMissing, TraceStatus
from jitterscope.store.worst_case import worst_duration_ns, worst_text

PROGRESS_CHANNEL = "jitterscope_trace"

_FINAL = (TraceStatus.READY, TraceStatus.FAILED)


@dataclass(frozen=True)
class Claim:
    """One attempt at loading a trace."""

    trace_key: int
    trace_id: str
    attempt: int
    crash_count: int
    missing_count: int
    sha256: str
    size_bytes: int


@dataclass(frozen=True)
class Progress:
    status: TraceStatus
    stage: str
    bytes_done: int
    bytes_total: int
    event_count: int

    @property
    def ratio(self) -> float:
        return min(1.0, self.bytes_done / self.bytes_total) if self.bytes_total > 0 else 0.0


async def claim(session: AsyncSession, trace_key: int) -> Claim | None:
    """The next attempt at a trace; None if it is deleted or needs no loading any more."""
    row = (
        await session.execute(
            update(Trace)
            .where(Trace.key == trace_key, Trace.status.not_in(_FINAL))
            .values(
                attempt=Trace.attempt + 1,
                status=TraceStatus.PARSING,
                stage="parsing",
                progress=0.0,
                bytes_done=0,
            )
            .returning(
                Trace.id,
                Trace.attempt,
                Trace.crash_count,
                Trace.missing_count,
                Trace.sha256,
                Trace.size_bytes,
            )
        )
    ).one_or_none()
    if row is None:
        return None
    await notify(session, trace_key)
    return Claim(
        trace_key, row.id, row.attempt, row.crash_count, row.missing_count, row.sha256, row.size_bytes
    )


async def report(session: AsyncSession, held: Claim, progress: Progress) -> bool:
    """Whether the attempt is still the current one; if so its progress is shown."""
    return await _change(
        session,
        held,
        {
            "status": progress.status,
            "stage": progress.stage,
            "progress": progress.ratio,
            "bytes_done": progress.bytes_done,
            "bytes_total": progress.bytes_total,
            "event_count": progress.event_count,
        },
    )


async def finish(session: AsyncSession, held: Claim, facts: Mapping[str, Any], missing: JsonObject) -> bool:
    """Whether the attempt is still the current one; if so the trace is `ready` with the commit."""
    values = dict(facts, status=TraceStatus.READY, stage=None, progress=1.0, ready_at=func.now(), error=None)
    worst = {"worst_duration_ns": worst_duration_ns(), "worst_text": worst_text()}
    if not await _change(session, held, values | worst | {"bytes_done": Trace.bytes_total}):
        return False
    row = insert(TraceMissing).values(trace_key=held.trace_key, missing=missing)
    await session.execute(row.on_conflict_do_update(index_elements=["trace_key"], set_={"missing": missing}))
    return True


async def fail(session: AsyncSession, held: Claim, error: JsonObject) -> bool:
    """Whether the attempt is still the current one; if so the trace is `failed` for good."""
    values = {"status": TraceStatus.FAILED, "stage": None, "error": error, "event_count": None}
    return await _change(session, held, values)


async def count_crash(session: AsyncSession, held: Claim) -> bool:
    """Whether the attempt is still the current one; if so one more crash of the parser is counted."""
    return await _change(session, held, {"crash_count": Trace.crash_count + 1})


async def give_back(session: AsyncSession, held: Claim) -> bool:
    """Whether the attempt is still the current one; if so the trace waits for a machine that has its file."""
    values = {"status": TraceStatus.QUEUED, "stage": None, "missing_count": Trace.missing_count + 1}
    return await _change(session, held, values)


async def notify(session: AsyncSession, trace_key: int) -> None:
    """Tell everybody who watches the trace, when the transaction commits."""
    await session.execute(select(func.pg_notify(PROGRESS_CHANNEL, str(trace_key))))


async def _change(
    session: AsyncSession, held: Claim, values: Mapping[str, object | ColumnElement[Any]]
) -> bool:
    changed = await session.execute(
        update(Trace)
        .where(Trace.key == held.trace_key, Trace.attempt == held.attempt, Trace.status.not_in(_FINAL))
        .values(**values)
        .returning(Trace.key)
        .execution_options(synchronize_session=False)
    )
    if changed.one_or_none() is None:
        return False
    await notify(session, held.trace_key)
    return True
