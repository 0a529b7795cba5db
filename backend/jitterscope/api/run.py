"""The measurements and the trace of one run."""

from fastapi import APIRouter

from jitterscope.api.base_url import BaseUrl, trace_url
from jitterscope.api.problem_documents import documented
from jitterscope.api.services import ServicesOf
from jitterscope.explore.run_ties import ThreadTie, run_of
from jitterscope.schemas.run import RunAnswer, RunFileItem, ThreadTieItem
from jitterscope.store.runs import RunFile

router = APIRouter(tags=["traces"])


@router.get("/traces/{trace_id}/run", responses=documented(404, 409, 503))
async def get_run(trace_id: str, services: ServicesOf, base_url: BaseUrl) -> RunAnswer:
    """What was measured in the run of a trace, or the trace of a file of measurements, value by case."""
    found = await run_of(services.database, trace_id)
    return RunAnswer(
        is_measurement=found.files.own.is_measurement,
        tied=[_file(one, base_url) for one in found.files.tied],
        proposed=[_file(one, base_url) for one in found.files.proposed],
        threads=[_thread(one, base_url) for one in found.threads],
        notes=list(found.notes),
    )


def _file(one: RunFile, base_url: str) -> RunFileItem:
    return RunFileItem(
        id=one.id,
        name=one.name,
        is_measurement=one.is_measurement,
        by=one.by,
        url=trace_url(base_url, one.id),
    )


def _thread(one: ThreadTie, base_url: str) -> ThreadTieItem:
    return ThreadTieItem(
        measurement=one.measurement.id,
        trace=one.trace.id,
        source=one.source,
        says_ns=one.says_ns,
        says_count=one.says_count,
        case_id=one.case_id,
        case_url=f"{trace_url(base_url, one.trace.id)}/cases/{one.case_id}",
        case_ns=one.case_ns,
        case_count=one.case_count,
        pid=one.pid,
        by=one.by,
        difference_ns=one.difference_ns,
        usual_difference_ns=one.usual_difference_ns,
        is_close=one.is_close,
        summary=one.summary(),
        why=one.why(),
    )
