"""Cases as reports of other things mention them: the verdict, and what took most of it."""

from dataclasses import dataclass

from jitterscope.schemas.latency_case import CaseLink, LatencyCase

_MAX_LINKS = 5
# A shorter part of the case is not mentioned.
_MIN_PERCENT = 10


@dataclass(frozen=True)
class Verdict:
    """Why one case took so long. The texts hold names from the trace as they are."""

    headline: str
    url: str
    links: tuple[str, ...]
    """The main links of its chain with their shares, in the order of time."""


def verdict_of(case: LatencyCase) -> Verdict:
    links = tuple(_sentence(link, case) for link in _main_links(case))
    return Verdict(headline=case.headline, url=case.url, links=links)


def _main_links(case: LatencyCase) -> list[CaseLink]:
    worth = [link for link in case.why if link.duration_ns * 100 >= max(1, _MIN_PERCENT * case.duration_ns)]
    longest = sorted(worth, key=lambda link: -link.duration_ns)[:_MAX_LINKS]
    return sorted(longest, key=lambda link: link.start)


def _sentence(link: CaseLink, case: LatencyCase) -> str:
    """`82 %: behind hog-170 (rt 90) for 593 µs`."""
    share = round(100 * link.duration_ns / case.duration_ns)
    return f"{share} %: {link.sentence}"
