"""Checks of latencies against limits."""

from collections.abc import Sequence

from jitterscope import _ftrace
from jitterscope.explore.latency_scan import NO_ANSWER, latency_answer, latency_tables, with_series
from jitterscope.explore.question import Parameters, ask, compute
from jitterscope.problems import InvalidParameter
from jitterscope.store.database import Database


async def latency_checks(
    database: Database, trace_id: str, checks: Sequence[Parameters], url: str
) -> list[bytes]:
    """JSON of `schemas.checks.CheckOutcome` for each check, whose filters stand beside its other parameters.

    Raises: InvalidParameter, which names the number of the check, too; NotFound, TraceNotReady, TraceFailed.
    """
    return [await _outcome(database, trace_id, number, check, url) for number, check in enumerate(checks)]


async def _outcome(database: Database, trace_id: str, number: int, check: Parameters, url: str) -> bytes:
    try:
        async with ask(database, trace_id, check, url) as asked:
            question = await with_series(asked)
            worst, tables = await question.blocks.whole("latency_case"), await latency_tables(question)
            answer = await compute(_ftrace.latency_check, question.request, worst, tables)
            return answer if answer != NO_ANSWER else await latency_answer(question, "check")
    except InvalidParameter as error:
        raise InvalidParameter(
            f"{number}.{error.parameter}", error.message, location="body", code=error.code
        ) from error
