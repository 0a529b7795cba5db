"""Checks of latencies against limits."""

from collections.abc import Sequence

from jitterscope.explore.driver import Parameters, ask
from jitterscope.problems import InvalidParameter
from jitterscope.store.database import Database


async def latency_checks(
    database: Database, trace_id: str, checks: Sequence[Parameters], base_url: str
) -> list[bytes]:
    """JSON of `schemas.checks.CheckOutcome` for each check, its filters among its parameters.

    Raises: InvalidParameter, which names the number of the check, too; NotFound, TraceNotReady, TraceFailed.
    """
    return [
        await _outcome(database, trace_id, number, check, base_url) for number, check in enumerate(checks)
    ]


async def _outcome(database: Database, trace_id: str, number: int, check: Parameters, base_url: str) -> bytes:
    try:
        return await ask(database, "latency_check", check, trace_id=trace_id, base_url=base_url)
    except InvalidParameter as error:
        raise InvalidParameter(
            f"{number}.{error.parameter}", error.message, location="body", code=error.code
        ) from error
