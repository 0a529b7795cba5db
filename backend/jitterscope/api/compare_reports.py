"""Experiments: many traces, one answer, as JSON, as text, as a page or as a picture."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.responses import HTMLResponse, PlainTextResponse

from jitterscope.api.compare import body_of, compared, request_of
from jitterscope.api.compare_pictures import compared_distribution
from jitterscope.api.compare_shelves import compared_shelves
from jitterscope.api.compare_url import compare_page_url
from jitterscope.api.core import PICTURES, REPORT_HEADERS, Core, CoreOfRequest, sent_picture
from jitterscope.api.problem_documents import documented
from jitterscope.reports.compare import CompareReport, compare_html, compare_text
from jitterscope.reports.spread_chart import spread_svg
from jitterscope.schemas.compare import CompareAnswer, CompareBody, CompareFormQuery, CompareQuery

router = APIRouter(tags=["experiments"])

_FORMS = ("text", "html", *PICTURES)


@router.post("/compare", response_model=CompareAnswer, responses=documented(404, 422, 503))
async def compare_variants(
    body: CompareBody, query: Annotated[CompareFormQuery, Query()], core: Core
) -> CompareAnswer | Response:
    """How variants differ from the first: numbers with intervals, causes, and what else differs.

    As JSON, as plain text for a mail, as one HTML file, or the percentile curves as a picture, SVG or PNG.
    """
    return await _in_form(query.format, body, core)


@router.get("/compare", response_model=CompareAnswer, responses=documented(404, 422, 503))
async def get_comparison(query: Annotated[CompareQuery, Query()], core: Core) -> CompareAnswer | Response:
    """The same as POST, from a query string."""
    return await _in_form(query.format, body_of(query), core)


async def _in_form(form: str | None, body: CompareBody, core: CoreOfRequest) -> CompareAnswer | Response:
    wanted = core.preferred_format(form, _FORMS)
    database = core.services.database
    answer = await compared(database, body, core.base_url)
    if wanted == "json":
        return answer
    spread = await compared_distribution(database, body)
    is_counts = answer.unit == "none"
    shelves = await compared_shelves(database, body) if is_counts else None
    request = request_of(body)
    url = compare_page_url(core.base_url, request.measure, request.variants, request.where, body.strata)
    report = CompareReport(_measured(body), answer, spread, shelves, url)
    if wanted in PICTURES:
        return await sent_picture(spread_svg(spread, report.title), wanted)
    if wanted == "text":
        return PlainTextResponse(compare_text(report), headers=REPORT_HEADERS)
    return HTMLResponse(compare_html(report), headers=REPORT_HEADERS)


def _measured(body: CompareBody) -> str:
    """`wakeup, comm cyclictest`: what is compared."""
    measure, where = body.measure, body.where
    kept = [f"{name} {value}" for name, value in where.model_dump(exclude_none=True).items()]
    return ", ".join([measure.field or measure.source or measure.kind or "", *kept])
