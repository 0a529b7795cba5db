"""The application: routers, the layers around them, and what they work with."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI

from jitterscope.api import (
    arrows,
    baselines,
    calls,
    calltree,
    catalog,
    checks,
    comparable,
    compare_exact,
    compare_pictures,
    compare_reports,
    compare_shelves,
    diff,
    diff_normals,
    docs,
    event_counts,
    event_fields,
    event_types,
    events,
    experiments,
    export,
    function_instances,
    functions,
    health,
    interference,
    latencies,
    latency_case,
    latency_tail,
    latency_tasks,
    progress,
    resumable,
    run,
    selection,
    service,
    slice_totals,
    sql,
    sql_views,
    timeline,
    traces,
    trend,
    uploads,
    warnings,
)
from jitterscope.api.access_log import AccessLog
from jitterscope.api.bodies import Bodies
from jitterscope.api.door import Door
from jitterscope.api.examples import add_examples
from jitterscope.api.failures import Failures
from jitterscope.api.guard import Guard
from jitterscope.api.kept_answers import KeptAnswers, KeptFirst
from jitterscope.api.pages import pages_router
from jitterscope.api.problem_documents import add_problem_handlers
from jitterscope.api.questions import QuestionRoom
from jitterscope.api.services import Services
from jitterscope.api.shared_answers import SharedAnswers
from jitterscope.api.upload_pace import OpenUploads
from jitterscope.ingest.sniffer import Sniffer
from jitterscope.ingest.walls import Walls
from jitterscope.logs import configure_logs
from jitterscope.settings import Settings
from jitterscope.store.blobs import BlobStore
from jitterscope.store.database import Database, api_connections, page_limits
from jitterscope.store.part_cache import PartCache
from jitterscope.store.watch import TraceWatch

API_PREFIX = "/api/v1"
# For answers about traces. What questions keep has a bound of its own, so that no catalog drives it out.
_MAX_TRACE_BYTES = 16 << 20
_ROUTERS = (
    uploads,
    resumable,
    # Before the paths of one trace: "selection" is no id.
    selection,
    traces,
    run,
    progress,
    events,
    event_types,
    event_counts,
    event_fields,
    timeline,
    slice_totals,
    arrows,
    calls,
    calltree,
    functions,
    function_instances,
    latencies,
    latency_tail,
    latency_tasks,
    checks,
    # Behind the other paths below latencies/, which are no ids of cases.
    latency_case,
    interference,
    export,
    diff,
    diff_normals,
    warnings,
    catalog,
    service,
    comparable,
    compare_exact,
    compare_pictures,
    compare_reports,
    compare_shelves,
    experiments,
    trend,
    baselines,
    sql,
    sql_views,
)


class Api(FastAPI):
    """An application whose description has whole requests and answers."""

    def openapi(self) -> dict[str, Any]:  # the OpenAPI document is JSON of many shapes
        """The description of the interface, with an example for each operation; made once."""
        is_first = self.openapi_schema is None
        document = super().openapi()
        if is_first:
            add_examples(document)
        return document


def create_app(settings: Settings | None = None) -> Api:
    """The ASGI application. Its database must be up to date before it is started."""
    used = settings or Settings()
    configure_logs()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        database = Database(used, page_limits(used), connections=api_connections(used))
        # A health check must not wait behind the requests that keep us busy.
        health = Database(used, page_limits(used), "jitterscope-health", connections=1)
        watch = TraceWatch(used)
        blobs = BlobStore(used)
        # What an API that was killed had received in part is of no use to anybody.
        blobs.arriving.remove_abandoned()
        async with watch.running():
            app.state.services = Services(
                used,
                database,
                health,
                blobs,
                watch,
                OpenUploads(used),
                Sniffer(),
                Walls(),
                SharedAnswers(),
                PartCache(_MAX_TRACE_BYTES),
            )
            answers = KeptAnswers(database, used.kept_answer_bytes)
            app.state.questions = QuestionRoom.of(used, answers)
            yield
        await health.close()
        await database.close()

    app = Api(
        title="Jitterscope",
        summary="Why was that one late?",
        version="1",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        # What generated clients call it: the name of the function, which no path or parameter changes.
        generate_unique_id_function=lambda route: route.name,
    )
    add_problem_handlers(app)
    for module in _ROUTERS:
        # Not in a router of their own: each router around another one matches every path once more.
        app.include_router(module.router, prefix=API_PREFIX)
    app.include_router(health.router)
    app.include_router(docs.router)
    app.include_router(pages_router(used.frontend))
    # The last one added is the first to see a request.
    app.add_middleware(KeptFirst)
    app.add_middleware(Failures)
    app.add_middleware(Bodies, settings=used, is_upload=_is_upload)
    app.add_middleware(Guard, settings=used)
    app.add_middleware(Door)
    # Outside of the door, so that it tells how long clients waited, too.
    app.add_middleware(AccessLog)
    return app


def _is_upload(method: str, path: str) -> bool:
    """Whether the body of a request is a recording, or a part of one."""
    if method == "PATCH":
        return path.startswith(f"{API_PREFIX}/uploads/")
    return (method, path) == ("POST", f"{API_PREFIX}/traces")
