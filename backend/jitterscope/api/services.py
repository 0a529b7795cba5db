"""What the routers work with, made once by the application."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from jitterscope.api.shared_answers import SharedAnswers
from jitterscope.api.upload_pace import OpenUploads
from jitterscope.ingest.sniffer import Sniffer
from jitterscope.ingest.walls import Walls
from jitterscope.settings import Settings
from jitterscope.store.blobs import BlobStore
from jitterscope.store.database import Database
from jitterscope.store.part_cache import PartCache
from jitterscope.store.watch import TraceWatch


@dataclass(frozen=True)
class Services:
    settings: Settings
    database: Database
    health_database: Database
    blobs: BlobStore
    watch: TraceWatch
    uploads: OpenUploads
    sniffer: Sniffer
    walls: Walls
    shared: SharedAnswers
    # What was answered about traces in their final state.
    kept_traces: PartCache


async def services_of(request: Request) -> Services:
    """What the application was started with.

    Raises: TypeError before that.
    """
    services = request.app.state.services
    if not isinstance(services, Services):
        raise TypeError("the application was not started")
    return services


ServicesOf = Annotated[Services, Depends(services_of)]
