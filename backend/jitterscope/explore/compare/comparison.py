"""All that is said of variants: their cards, differences from the first, causes and what else differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jitterscope.explore.compare.card import Card, card_of, differences
from jitterscope.explore.compare.causes import Cause, causes
from jitterscope.explore.compare.guard import guard
from jitterscope.explore.compare.members import Members, find_members
from jitterscope.explore.compare.request import CompareRequest
from jitterscope.explore.compare.sentence import sentence
from jitterscope.explore.threads import in_thread
from jitterscope.statistics.resampling import Difference
from jitterscope.store.database import Database
from jitterscope.store.summaries import interference_of


@dataclass(frozen=True)
class Against:
    """One variant against the first."""

    card: Card
    differences: Mapping[str, Difference]
    causes: Sequence[Cause]
    sentence: str


@dataclass(frozen=True)
class Comparison:
    """`against` has an entry for each variant but the first, in their order."""

    members: Sequence[Members]
    cards: Sequence[Card]
    against: Sequence[Against]
    guard: Sequence[str]
    unit: str


async def compare(database: Database, request: CompareRequest) -> Comparison:
    """Reads the summaries of all traces and nothing of their samples and events.

    Raises: NotFound, InvalidParameter.
    """
    async with database.session() as session:
        found = await find_members(session, request)
        taken = [
            await interference_of(session, [one.trace.key for one in members.members], request.where.cpu)
            for members in found
        ]

    def work() -> Comparison:
        unit = _unit(found)
        cards = [card_of(members) for members in found]
        against = []
        for members, rows, card in zip(found[1:], taken[1:], cards[1:], strict=True):
            differ = differences(found[0], members)
            why = causes((found[0], taken[0]), (members, rows))
            names = found[0].variant.name, members.variant.name
            told = sentence(names, (cards[0], card), differ, unit=unit)
            against.append(Against(card, differ, why, told))
        return Comparison(found, cards, against, guard(found), unit)

    return await in_thread(work)


def _unit(found: Sequence[Members]) -> str:
    """Counts of FTQ are bare numbers; all other summaries are of times."""
    formats = {member.trace.format for members in found for member in members.members}
    return "none" if formats == {"ftq_counts"} else "ns"
