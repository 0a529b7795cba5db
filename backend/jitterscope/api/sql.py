"""SQL of people, read-only, over the documented views."""

from typing import Annotated

from fastapi import APIRouter, Header, Request, Response

from jitterscope.api.core import sent_json
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import SqlRoute
from jitterscope.api.services import ServicesOf
from jitterscope.api.sql_text import csv_of, json_of, ndjson_of
from jitterscope.explore.threads import in_thread
from jitterscope.problems import InvalidParameter
from jitterscope.schemas.sql import SqlAnswer, SqlBody
from jitterscope.store.read_statement import run_statement

router = APIRouter(tags=["SQL"], route_class=SqlRoute)

_TABLES = {"text/csv": ("csv", csv_of), "application/x-ndjson": ("ndjson", ndjson_of)}


@router.post(
    "/sql",
    response_model=SqlAnswer,
    responses=documented(422, 503)
    | {200: {"content": {"text/csv": {}, "application/x-ndjson": {}}, "description": "The rows."}},
)
async def run_sql(
    body: SqlBody,
    services: ServicesOf,
    request: Request,
    accept: Annotated[str, Header(max_length=1_000)] = "application/json",
) -> Response:
    """The rows of one query; with `Accept`, as CSV or NDJSON, where `X-Truncated` says if there were more."""
    settings = services.settings
    if body.limit > settings.max_sql_rows:
        raise InvalidParameter(
            "limit", f"must be at most {settings.max_sql_rows} (JITTERSCOPE_MAX_SQL_ROWS)", location="body"
        )
    found = await run_statement(settings, body.sql, body.limit, body.traces)
    media_type = accept.partition(",")[0].partition(";")[0].strip().lower()
    if media_type not in _TABLES:
        return await sent_json(request, await in_thread(json_of, found))
    extension, written = _TABLES[media_type]
    return Response(
        await in_thread(written, found),
        media_type=f"{media_type}; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="query.{extension}"',
            "Cache-Control": "no-store",
            "X-Truncated": "true" if found.is_truncated else "false",
        },
    )
