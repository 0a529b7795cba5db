"""Many traces at once: counted, labelled, deleted, listed in a file."""

from collections.abc import AsyncIterator, Sequence
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from jitterscope.api.base_url import BaseUrl
from jitterscope.api.cursors import decode_cursor, encode_cursor
from jitterscope.api.problem_documents import documented
from jitterscope.api.services import ServicesOf
from jitterscope.api.trace_answers import trace_answers
from jitterscope.api.trace_table import csv_head, csv_rows
from jitterscope.ingest import many_traces
from jitterscope.schemas.selection import (
    SelectionDeed,
    SelectionExport,
    SelectionLabels,
    SelectionOutcome,
    SelectionSize,
    SelectionSizeQuery,
    TraceSelection,
)
from jitterscope.store.catalog_page import CatalogQuery, SortValue, catalog_page, rows_of
from jitterscope.store.database import Database
from jitterscope.store.selection import Selection, size_of

router = APIRouter(tags=["traces"])

_EXPORTED_AT_ONCE = 500
_MEDIA_TYPES = {"csv": "text/csv; charset=utf-8", "ndjson": "application/x-ndjson"}


@router.get("/traces/selection", responses=documented(422, 503))
async def get_selection_size(
    query: Annotated[SelectionSizeQuery, Query()], services: ServicesOf
) -> SelectionSize:
    """How many traces the catalog has with this filter, and how large their files are."""
    async with services.database.session() as session:
        size = await size_of(session, Selection(named_labels(query.label), query.q))
    return SelectionSize(trace_count=size.trace_count, size_bytes=size.size_bytes, as_of=size.as_of)


@router.post("/traces/selection/labels", responses=documented(422, 503, 507))
async def label_selection(deed: SelectionLabels, services: ServicesOf) -> SelectionOutcome:
    """Set or remove labels of the next traces; call again with `cursor` until `next` is null."""
    outcome = await many_traces.label_traces(
        services.database, services.blobs, _selected(deed), deed.labels, _after(deed)
    )
    return _answer(outcome)


@router.post("/traces/selection/delete", responses=documented(422, 503))
async def delete_selection(deed: SelectionDeed, services: ServicesOf) -> SelectionOutcome:
    """Delete the next traces; call again with `cursor` until `next` is null."""
    outcome = await many_traces.delete_traces(
        services.database, services.blobs, _selected(deed), _after(deed)
    )
    return _answer(outcome)


@router.post(
    "/traces/selection/export",
    response_class=StreamingResponse,
    responses=documented(422, 503)
    | {200: {"content": {"text/csv": {}, "application/x-ndjson": {}}, "description": "A row a trace."}},
)
async def export_selection(
    wanted: SelectionExport, services: ServicesOf, base_url: BaseUrl
) -> StreamingResponse:
    """A row for each trace, newest first: facts, worst case, labels, and where the file can be downloaded."""
    rows = _rows(services.database, _selected(wanted), base_url, is_csv=wanted.format == "csv")
    headers = {"Content-Disposition": f'attachment; filename="traces.{wanted.format}"'}
    return StreamingResponse(rows, media_type=_MEDIA_TYPES[wanted.format], headers=headers)


def named_labels(labels: Sequence[str]) -> list[tuple[str, str | None]]:
    """The name and value of `name:value`, or of `name`, which means any value."""
    return [(name, value if colon else None) for name, colon, value in (x.partition(":") for x in labels)]


async def _rows(
    database: Database, selection: Selection, base_url: str, *, is_csv: bool
) -> AsyncIterator[str]:
    if is_csv:
        yield csv_head()
    after: tuple[SortValue, str] | None = None
    while True:
        query = CatalogQuery(limit=_EXPORTED_AT_ONCE, selection=selection, after=after)
        async with database.session() as session:
            page, after = await catalog_page(session, query)
            rows = await rows_of(session, [version.key for version in page])
            answers = await trace_answers(session, rows, base_url)
        yield csv_rows(answers) if is_csv else "".join(f"{row.model_dump_json()}\n" for row in answers)
        if after is None:
            return


def _selected(wanted: TraceSelection) -> Selection:
    matching = wanted.matching
    if matching is None:
        return Selection(ids=tuple(wanted.ids or ()))
    return Selection(
        labels=named_labels(matching.label),
        search=matching.q,
        except_ids=tuple(matching.except_ids),
        created_by=matching.as_of,
    )


def _after(deed: SelectionDeed) -> str:
    return "" if deed.cursor is None else str(decode_cursor(deed.cursor, 1)[0])


def _answer(outcome: many_traces.Outcome) -> SelectionOutcome:
    following = None if outcome.last_id is None else encode_cursor([outcome.last_id])
    return SelectionOutcome(changed_count=outcome.changed_count, next=following)
