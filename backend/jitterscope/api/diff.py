"""Comparisons of an abnormal call or case with a normal one."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.responses import HTMLResponse, PlainTextResponse

from jitterscope.api.core import PICTURES, REPORT_HEADERS, Core, CoreOfRequest, sent_picture
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.api.verdicts import find_verdict
from jitterscope.reports.diff import diff_html, diff_text
from jitterscope.reports.diff_charts import diff_svg
from jitterscope.reports.verdict import Verdict
from jitterscope.schemas.diff import Diff, DiffQuery

router = APIRouter(tags=["comparisons"], route_class=QuestionRoute)


@router.get("/diff", response_model=Diff, responses=documented(404, 409, 422, 503))
async def get_diff(query: Annotated[DiffQuery, Query()], core: Core) -> Response:
    """A comparison of an abnormal call or case with a normal one, to the nanosecond.

    As JSON, as plain text for a mail, as one HTML file, or both sides as a picture, SVG or PNG.
    """
    sides = query.model_copy(update={"format": None})
    wanted = core.preferred_format(query.format, ("text", "html", *PICTURES))
    if wanted == "json":
        return await core.answer("diff", sides)
    found = Diff.model_validate_json(await core.ask("diff", sides))
    if wanted in PICTURES:
        return await sent_picture(diff_svg(found), wanted)
    verdicts = await _verdicts(found, core)
    if wanted == "text":
        return PlainTextResponse(diff_text(found, verdicts), headers=REPORT_HEADERS)
    return HTMLResponse(diff_html(found, verdicts), headers=REPORT_HEADERS)


async def _verdicts(diff: Diff, core: CoreOfRequest) -> list[tuple[str, Verdict]]:
    """On both sides of a comparison of cases; calls have none."""
    if not diff.causes:
        return []
    sides = (("abnormal", diff.abnormal), ("normal", diff.normal))
    database = core.services.database
    found = [(name, await find_verdict(database, side.trace, side.id, core.base_url)) for name, side in sides]
    return [(name, verdict) for name, verdict in found if verdict is not None]
