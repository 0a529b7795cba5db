"""What the database knows of the service as a whole."""

from dataclasses import dataclass

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.store.models import Trace, TraceStatus
from jitterscope.store.workers import PRESENT

_DATABASE = text("SELECT current_setting('server_version'), pg_database_size(current_database())")
_WORKERS = text(f"SELECT count(*) FROM ({PRESENT}) AS present")  # noqa: S608 (of a constant)


@dataclass(frozen=True)
class ServiceState:
    database_version: str
    database_bytes: int
    worker_count: int
    traces: dict[TraceStatus, int]
    recording_bytes: int


async def service_state(session: AsyncSession) -> ServiceState:
    """Versions, sizes in bytes, and counts; takes a pass over the rows of all traces."""
    version, database_bytes = (await session.execute(_DATABASE)).one()
    worker_count = (await session.execute(_WORKERS)).scalar_one()
    by_status = select(Trace.status, func.count(), func.sum(Trace.size_bytes)).group_by(Trace.status)
    rows = (await session.execute(by_status)).all()
    return ServiceState(
        # Debian's says what it is built from: "15.14 (Debian 15.14-0+deb12u1)".
        database_version=version.partition(" ")[0],
        database_bytes=database_bytes,
        worker_count=worker_count,
        traces={TraceStatus(status): count for status, count, _ in rows},
        recording_bytes=sum(int(size_bytes) for *_, size_bytes in rows),
    )
