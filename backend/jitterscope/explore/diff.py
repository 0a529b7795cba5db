"""What an abnormal call or case has that a normal one has not."""

from jitterscope.explore.call_diff import call_diff
from jitterscope.explore.case_diff import case_diff
from jitterscope.explore.diff_sides import Ref, page_url, parse_ref
from jitterscope.explore.question import Parameters
from jitterscope.problems import InvalidParameter
from jitterscope.store.database import Database


async def diff(
    database: Database, abnormal: str, normal: str, parameters: Parameters, base_url: str
) -> bytes:
    """JSON of `schemas.diff.Diff`. `parameters` are noise_floor and limit.

    Raises: NotFound, TraceNotReady, TraceFailed, InvalidParameter.
    """
    left = parse_ref("abnormal", abnormal)
    right = normal if normal in ("auto", "all") else parse_ref("normal", normal)
    if isinstance(right, Ref) and right.is_of_calls != left.is_of_calls:
        message = "calls are compared with calls, and cases with cases; this side is of the other kind"
        raise InvalidParameter("normal", message)
    url = page_url(base_url, abnormal, normal)
    if not left.is_of_calls:
        return await case_diff(database, left, right, parameters, (base_url, url))
    return await call_diff(database, left, right, parameters, (base_url, url))
