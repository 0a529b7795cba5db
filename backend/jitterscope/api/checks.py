"""Gates for automation."""

from collections.abc import Mapping, Sequence

from fastapi import APIRouter, Request, Response

from jitterscope.api.base_url import BaseUrl
from jitterscope.api.baseline_limits import limits_of
from jitterscope.api.junit import junit_xml
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.api.services import ServicesOf
from jitterscope.api.verdicts import find_verdict
from jitterscope.explore.checks import latency_checks
from jitterscope.problems import TraceFailed
from jitterscope.reports.verdict import Verdict
from jitterscope.schemas.checks import CheckOutcome, CheckReport, Checks
from jitterscope.store.database import Database

router = APIRouter(tags=["latencies"], route_class=QuestionRoute)

_XML = "application/xml"
# Of one request; each costs as much as opening the case.
_MAX_VERDICTS = 20


@router.post(
    "/traces/{trace_id}/checks",
    response_model=CheckReport,
    responses={**documented(404, 409, 422, 503), 200: {"content": {_XML: {"schema": {"type": "string"}}}}},
)
async def check_latencies(
    trace_id: str, checks: Checks, request: Request, services: ServicesOf, base_url: BaseUrl
) -> Response:
    """Whether latencies keep to limits. With `Accept: application/xml` the answer is JUnit XML."""
    try:
        limits = await limits_of(services.database, trace_id, checks, base_url)
        questions = [
            check.question(limit.value)
            for check, limit in zip(checks, limits, strict=True)
            if limit.reason is None
        ]
        found = iter(await latency_checks(services.database, trace_id, questions, base_url))
        outcomes = [
            limit.apply(check, CheckOutcome.model_validate_json(next(found)))
            if limit.reason is None
            else _unknown(limit.reason).model_copy(update={"baseline": limit.baseline})
            for check, limit in zip(checks, limits, strict=True)
        ]
    except TraceFailed as failed:
        outcomes = [_unknown(failed.detail) for _ in checks]
    verdicts = await _verdicts(services.database, trace_id, outcomes, base_url)
    report = CheckReport.of(checks, [_with_verdict(outcome, verdicts) for outcome in outcomes])
    headers = {"Cache-Control": "no-store", "Vary": "Accept"}
    if _XML in request.headers.get("accept", ""):
        return Response(junit_xml(report, trace_id, verdicts), media_type=_XML, headers=headers)
    return Response(report.model_dump_json(), media_type="application/json", headers=headers)


async def _verdicts(
    database: Database, trace_id: str, outcomes: Sequence[CheckOutcome], base_url: str
) -> dict[str, Verdict]:
    """On the worst cases of the checks that did not pass, by id."""
    worst = [outcome.worst.id for outcome in outcomes if outcome.worst and outcome.outcome != "passed"]
    found: dict[str, Verdict] = {}
    for case_id in list(dict.fromkeys(worst))[:_MAX_VERDICTS]:
        verdict = await find_verdict(database, trace_id, case_id, base_url)
        if verdict is not None:
            found[case_id] = verdict
    return found


def _with_verdict(outcome: CheckOutcome, verdicts: Mapping[str, Verdict]) -> CheckOutcome:
    if outcome.worst is None or outcome.worst.id not in verdicts:
        return outcome
    worst = outcome.worst.model_copy(update={"headline": verdicts[outcome.worst.id].headline})
    return outcome.model_copy(update={"worst": worst})


def _unknown(reason: str) -> CheckOutcome:
    return CheckOutcome(
        outcome="undecidable", passed=None, reason=reason, actual_ns=None, count=0, worst=None
    )
