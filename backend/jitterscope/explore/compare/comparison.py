"""All that is said of variants: their cards, differences from the first, causes and what else differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jitterscope.explore.compare.blocks_of_members import with_blocks
from jitterscope.explore.compare.busier import Side, faster_though_busier
from jitterscope.explore.compare.card import Card, card_of, differences
from jitterscope.explore.compare.causes import Cause, causes
from jitterscope.explore.compare.clocks import Scale
from jitterscope.explore.compare.cpu_classes import Classes, classes_of
from jitterscope.explore.compare.guard import guard, notes
from jitterscope.explore.compare.members import Members, unit_of
from jitterscope.explore.compare.proven import clause, proven
from jitterscope.explore.compare.read_members import read_members
from jitterscope.explore.compare.recorded import find_recorded
from jitterscope.explore.compare.request import CompareRequest
from jitterscope.explore.compare.sentence import real_number, sentence
from jitterscope.explore.compare.shelves import VariantShelves, find_counted, shelf_sentence
from jitterscope.explore.compare.strata import Strata, find_split, strata_of
from jitterscope.explore.compare.ticks import TickCost, tick_costs
from jitterscope.explore.threads import in_thread
from jitterscope.statistics.resampling import Difference
from jitterscope.store.database import Database


@dataclass(frozen=True)
class Against:
    """One variant against the first."""

    card: Card
    differences: Mapping[str, Difference]
    causes: Sequence[Cause]
    sentence: str


@dataclass(frozen=True)
class Comparison:
    """`against` has an entry for each variant but the first, `ticks` one for each, in their order."""

    members: Sequence[Members]
    cards: Sequence[Card]
    against: Sequence[Against]
    guard: Sequence[str]
    notes: Sequence[str]
    unit: str
    strata: Strata | None
    ticks: Sequence[Sequence[TickCost]]
    classes: Classes | None


async def compare(database: Database, request: CompareRequest) -> Comparison:
    """Reads the summaries of all traces, and their samples only where no summary is of those that are meant.

    Raises: NotFound, InvalidParameter.
    """
    read = await read_members(database, request, with_longest=True)
    async with database.session() as session:
        found = await with_blocks(session, request, read)
        split = await find_split(session, request, found)
        recorded, cpus = await find_recorded(session, request, found)
        unit = unit_of(found)
        counted = await find_counted(session, request, found, recorded) if unit == "none" else None

    def work() -> Comparison:
        plateaus = [] if counted is None else counted.shelves().variants
        cards = [card_of(members) for members in found]
        busy = [
            Side(members.variant.name, card.numbers, rows.busy_shares())
            for members, card, rows in zip(found, cards, recorded, strict=True)
        ]
        against, surprises = [], []
        for at, (members, rows, card) in enumerate(zip(found[1:], recorded[1:], cards[1:], strict=True), 1):
            differ = differences(found[0], members)
            why = causes(recorded[0], rows, cpus)
            names = found[0].variant.name, members.variant.name
            words = sentence(names, (cards[0], card), differ, unit=unit)
            if members.unlike and card.samples == 0:
                others = Scale.of(members.unlike)
                words = f"{names[1]} cannot be compared: it counts {others} instead of {members.scale}."
            number = real_number(differ)
            # How much a cause takes is said by the second.
            if number is not None and unit != "ticks":
                is_less = (card.numbers[number] or 0) < (cards[0].numbers[number] or 0)
                sides = recorded[0], rows
                named = clause(proven(why, sides, cpus, is_less=is_less), sides, is_less=is_less)
                words = f"{words} {named}".rstrip()
            elif plateaus:
                words = _of_shelves(plateaus[0], plateaus[at]) or words
            against.append(Against(card, differ, why, words))
            surprise = faster_though_busier(request.measure.kind, (busy[0], busy[at]), differ, cpus)
            if unit != "none" and surprise is not None:
                surprises.append(surprise)
        ticks = [tick_costs(one, unit) for one in recorded]
        return Comparison(
            found,
            cards,
            against,
            guard(found, recorded),
            surprises + notes(found, recorded),
            unit,
            strata_of(split),
            ticks,
            classes_of(recorded),
        )

    return await in_thread(work)


def _of_shelves(first: VariantShelves, other: VariantShelves) -> str | None:
    """What takes work on both sides, where shelves show it: no interval is needed for that."""
    return shelf_sentence([first, other]) if first.shelves and other.shelves else None
