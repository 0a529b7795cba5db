"""The verdicts on cases that reports of other things mention."""

from jitterscope.explore.driver import ask
from jitterscope.problems import NotFound
from jitterscope.reports.verdict import Verdict, verdict_of
from jitterscope.schemas.latency_case import LatencyCase
from jitterscope.store.database import Database


async def find_verdict(database: Database, trace_id: str, case_id: str, base_url: str) -> Verdict | None:
    """The verdict on a case; None where there is no case of that id, such as that of a call.

    Raises: TraceNotReady, TraceFailed.
    """
    try:
        answer = await ask(database, "latency_case", {"case": case_id}, trace_id=trace_id, base_url=base_url)
    except NotFound:
        return None
    return verdict_of(LatencyCase.model_validate_json(answer))
