"""The catalog of traces, and one trace as a whole."""

import asyncio
import json
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.responses import FileResponse

from jitterscope.api.base_url import BaseUrl
from jitterscope.api.cursors import decode_cursor, encode_cursor
from jitterscope.api.names import shown_name
from jitterscope.api.problem_documents import documented
from jitterscope.api.selection import named_labels
from jitterscope.api.services import ServicesOf
from jitterscope.api.trace_answers import trace_answer, trace_texts
from jitterscope.ingest import uploads
from jitterscope.ingest.reload import reload_trace
from jitterscope.ingest.sidecar import describe
from jitterscope.problems import FileMissing, InvalidParameter, NotFound
from jitterscope.schemas.trace import TraceAnswer, TraceListQuery, TracePage, TracePatch, TraceQuery
from jitterscope.store import traces
from jitterscope.store.catalog_page import (
    SORT_NAMES,
    CatalogQuery,
    SortValue,
    catalog_page,
    sort_value,
    version_of,
)
from jitterscope.store.models import TraceStatus
from jitterscope.store.selection import Selection

router = APIRouter(tags=["traces"])


@router.get("/traces", response_model=TracePage, responses=documented(422, 503))
async def list_traces(
    query: Annotated[TraceListQuery, Query()], services: ServicesOf, base_url: BaseUrl
) -> Response:
    """The catalog, newest first unless `sort` says otherwise."""
    wanted = _catalog_query(query)

    async def make() -> bytes:
        async with services.database.look() as session:
            page, after = await catalog_page(session, wanted)
            items = await trace_texts(session, services.kept_traces, page, base_url)
        following = None if after is None else _encode_position(query.sort, after)
        return b'{"items":[%b],"next":%b}' % (b",".join(items), json.dumps(following).encode())

    return _sent(await services.shared.of(("catalog", query.model_dump_json(), base_url), make))


@router.get("/traces/{trace_id}", response_model=TraceAnswer, responses=documented(404, 422, 503))
async def get_trace(
    trace_id: str, query: Annotated[TraceQuery, Query()], services: ServicesOf, base_url: BaseUrl
) -> Response:
    """One trace. With `wait`, the answer comes when the state is final or the seconds are over."""
    if query.wait > services.settings.max_wait_seconds:
        limit = services.settings.max_wait_seconds
        raise InvalidParameter("wait", f"must be at most {limit} (JITTERSCOPE_MAX_WAIT_SECONDS)")
    if query.wait:
        await _wait_until_final(services, trace_id, query.wait)

    async def make() -> bytes:
        async with services.database.look() as session:
            version = await version_of(session, trace_id)
            texts = await trace_texts(session, services.kept_traces, [version], base_url)
        if not texts:
            raise NotFound(f"The trace {trace_id!r} has just been deleted.")
        return texts[0]

    return _sent(await services.shared.of(("trace", trace_id, base_url), make))


@router.patch("/traces/{trace_id}", responses=documented(404, 422, 503, 507))
async def change_trace(
    trace_id: str, patch: TracePatch, services: ServicesOf, base_url: BaseUrl
) -> TraceAnswer:
    """Change the name, set labels, remove those that are null."""
    async with services.database.session() as session:
        row = await traces.find_and_lock(session, trace_id)
        if patch.name is not None:
            row.name = shown_name(patch.name)
        await traces.merge_labels(session, [row.key], patch.labels)
        await session.flush()
        await describe(session, services.blobs, row)
        return await trace_answer(session, row, base_url)


@router.delete("/traces/{trace_id}", status_code=204, responses=documented(404, 503))
async def delete_trace(trace_id: str, services: ServicesOf) -> Response:
    """Delete a trace and all that came from it, also while it is loaded."""
    await uploads.delete_trace(services.database, services.blobs, trace_id)
    return Response(status_code=204)


@router.post("/traces/{trace_id}/reload", status_code=202, responses=documented(404, 409, 503))
async def load_trace_again(trace_id: str, services: ServicesOf, base_url: BaseUrl) -> TraceAnswer:
    """Read the stored file again, such as after a failure or an upgrade. Id, name and labels stay."""
    row = await reload_trace(services.database, services.blobs, trace_id)
    async with services.database.session() as session:
        return await trace_answer(session, row, base_url)


@router.get(
    "/traces/{trace_id}/raw",
    response_class=FileResponse,
    responses=documented(404, 503)
    | {200: {"content": {"application/octet-stream": {}}, "description": "The file."}},
)
async def get_raw(trace_id: str, services: ServicesOf) -> FileResponse:
    """The uploaded file, byte for byte."""
    async with services.database.session() as session:
        row = await traces.find_by_id(session, trace_id)
    path = services.blobs.path(row.sha256)
    if not await asyncio.to_thread(services.blobs.has, row.sha256):
        raise FileMissing(
            "The file of this trace is not in this server's store; upload the same file again to put it "
            "back. What was read from it is not affected."
        )
    # The type is fixed, and a browser saves it: nothing that was uploaded is ever shown as a page.
    return FileResponse(path, media_type="application/octet-stream", filename=row.filename)


def _sent(body: bytes) -> Response:
    return Response(body, media_type="application/json")


async def _wait_until_final(services: ServicesOf, trace_id: str, seconds: float) -> None:
    async with services.database.session() as session:
        trace = await traces.find_by_id(session, trace_id)
    if TraceStatus(trace.status).is_final:
        return
    async for row in services.watch.rows(services.database, trace_id, trace.key, seconds):
        if TraceStatus(row.status).is_final:
            return


def _catalog_query(query: TraceListQuery) -> CatalogQuery:
    is_descending = query.sort.startswith("-")
    sort = query.sort.removeprefix("-")
    if sort not in SORT_NAMES:
        raise InvalidParameter("sort", f"must be one of {', '.join(SORT_NAMES)}, with or without - before it")
    selection = Selection(named_labels(query.label), query.q)
    after = _decode_position(query.cursor, query.sort) if query.cursor else None
    return CatalogQuery(sort, is_descending, query.limit, selection, after)


def _encode_position(sort: str, position: tuple[SortValue, str]) -> str:
    value, trace_id = position
    return encode_cursor([sort, value.isoformat() if isinstance(value, datetime) else value, trace_id])


def _decode_position(cursor: str, sort: str) -> tuple[SortValue, str]:
    position = decode_cursor(cursor, 3)
    cursor_sort, value, trace_id = position
    if cursor_sort != sort:
        raise InvalidParameter("cursor", "belongs to a list with another sort; start again without it")
    try:
        return sort_value(sort.removeprefix("-"), value), str(trace_id)
    except (TypeError, ValueError) as error:
        raise InvalidParameter("cursor", "is not one that this call has answered") from error
