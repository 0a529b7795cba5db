"""What this server is, and how it is doing."""

import asyncio
from importlib.metadata import version

from fastapi import APIRouter

from jitterscope.api.problem_documents import documented
from jitterscope.api.services import ServicesOf
from jitterscope.ingest.walls import missing_walls
from jitterscope.schemas.service import ServiceAnswer, ServiceLoads, ServiceStorage
from jitterscope.store.models import TraceStatus
from jitterscope.store.service_state import service_state

router = APIRouter(tags=["service"])


@router.get("/service", responses=documented(503))
async def get_service(services: ServicesOf) -> ServiceAnswer:
    """Versions, storage, and what is being loaded. Whether it can work at all is in `/readyz`."""
    async with services.database.session() as session:
        state = await service_state(session)
    walls = await services.walls.standing()
    free_bytes, kept_free_bytes = await asyncio.to_thread(services.blobs.free_bytes)
    count = state.traces.get
    return ServiceAnswer(
        version=version("jitterscope"),
        database_version=state.database_version,
        walls=walls,
        missing_walls=missing_walls(walls),
        is_access_controlled=services.settings.access_controlled,
        storage=ServiceStorage(
            recording_count=sum(state.traces.values()),
            recording_bytes=state.recording_bytes,
            database_bytes=state.database_bytes,
            unfinished_upload_count=await asyncio.to_thread(services.blobs.unfinished.count),
            free_bytes=free_bytes,
            kept_free_bytes=kept_free_bytes,
            max_upload_bytes=services.settings.max_upload_bytes,
        ),
        loads=ServiceLoads(
            worker_count=state.worker_count,
            queued_count=count(TraceStatus.QUEUED, 0),
            loading_count=count(TraceStatus.PARSING, 0) + count(TraceStatus.ANALYSING, 0),
            failed_count=count(TraceStatus.FAILED, 0),
        ),
    )
