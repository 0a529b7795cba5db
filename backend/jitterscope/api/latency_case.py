"""Latencies: one case."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.responses import HTMLResponse, PlainTextResponse

from jitterscope.api.core import PICTURES, REPORT_HEADERS, Core, sent_picture
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.reports.case import Recorded, case_text, cases_html
from jitterscope.reports.ruler import ruler_svg
from jitterscope.schemas.latency_case import LatencyCase, LatencyCaseQuery
from jitterscope.store import traces

router = APIRouter(tags=["latencies"], route_class=QuestionRoute)


@router.get(
    "/traces/{trace_id}/latencies/{case_id}",
    response_model=LatencyCase,
    responses=documented(404, 409, 422, 503),
)
async def get_latency_case(
    trace_id: str, case_id: str, query: Annotated[LatencyCaseQuery, Query()], core: Core
) -> Response:
    """One case: its steps, where its time went, what it waited behind, and the events around it.

    As JSON, as plain text for a mail, as one HTML file, or its ruler as a picture, SVG or PNG.
    """
    wanted = core.preferred_format(query.format, ("text", "html", *PICTURES))
    if wanted == "json":
        return await core.answer("latency_case", {"case": case_id}, trace_id)
    case = LatencyCase.model_validate_json(await core.ask("latency_case", {"case": case_id}, trace_id))
    async with core.services.database.session() as session:
        trace = await traces.find_by_id(session, trace_id)
        recorded = Recorded(trace.name, trace.kernel, trace.time_unit)
    if wanted in PICTURES:
        return await sent_picture(ruler_svg(case, recorded.unit), wanted)
    if wanted == "text":
        return PlainTextResponse(case_text(case, recorded), headers=REPORT_HEADERS)
    return HTMLResponse(cases_html([(case, recorded)]), headers=REPORT_HEADERS)
