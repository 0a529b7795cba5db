"""Cases as reports tell them: the verdict, and what took most of it."""

from dataclasses import dataclass

from jitterscope.explore.driver import ask
from jitterscope.problems import NotFound
from jitterscope.schemas.latency_case import CaseLink, LatencyCase
from jitterscope.store.database import Database

_MAX_LINKS = 5
# A link that took less of the case is not told.
_MIN_SHARE = 0.1


@dataclass(frozen=True)
class Verdict:
    """Why one case took so long. The texts hold names from the trace as they are."""

    headline: str
    url: str
    links: tuple[str, ...]
    """The main links of its chain with their shares, in the order of time."""


async def find_verdict(database: Database, trace_id: str, case_id: str, base_url: str) -> Verdict | None:
    """The verdict on a case; None where there is no case of that id, such as that of a call.

    Raises: TraceNotReady, TraceFailed.
    """
    try:
        answer = await ask(database, "latency_case", {"case": case_id}, trace_id=trace_id, base_url=base_url)
    except NotFound:
        return None
    case = LatencyCase.model_validate_json(answer)
    links = tuple(_told(link, case) for link in _main_links(case))
    return Verdict(headline=case.headline, url=case.url, links=links)


def _main_links(case: LatencyCase) -> list[CaseLink]:
    worth = [link for link in case.why if link.duration_ns >= max(1, _MIN_SHARE * case.duration_ns)]
    longest = sorted(worth, key=lambda link: -link.duration_ns)[:_MAX_LINKS]
    return sorted(longest, key=lambda link: link.start)


def _told(link: CaseLink, case: LatencyCase) -> str:
    """`82 %: behind hog-170 (rt 90) for 593 µs`."""
    share = round(100 * link.duration_ns / case.duration_ns)
    return f"{share} %: {link.sentence}"
