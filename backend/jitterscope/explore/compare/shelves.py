"""The shelves of counts of work per quantum, and what makes each: FTQ, for all variants on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.explore.compare.members import Member, Members, find_members, unit_of
from jitterscope.explore.compare.recorded import Recorded, find_recorded
from jitterscope.explore.compare.request import CompareRequest
from jitterscope.explore.compare.shelf_reasons import Step, reasons, times
from jitterscope.explore.compare.shelf_ticks import TickShares, tick_shares
from jitterscope.explore.compare.suspects import Suspect, Suspects, find_suspects
from jitterscope.explore.compare.ticks import TickCost, tick_costs
from jitterscope.explore.compare.words import amount
from jitterscope.explore.threads import in_thread
from jitterscope.problems import InvalidParameter
from jitterscope.statistics.histogram import merge
from jitterscope.statistics.shelves import Shelf, distance, find_shelves, highest
from jitterscope.store.database import Database
from jitterscope.store.models import TraceStatus
from jitterscope.store.summaries import groups_of

_NS_PER_S = 1_000_000_000
_MAX_QUANTUM_NS = 3_600 * _NS_PER_S
# Quanta that differ by less are the same: starts are not exactly one quantum apart.
_SAME_QUANTUM = 0.01
# What comes in at least this part of all quanta leaves none of them undisturbed.
_EVERY = 0.95
_MAX_SOURCES = 1_024

State = Literal["top", "explained", "ambiguous", "unexplained", "untraced", "unscaled"]


@dataclass(frozen=True)
class JudgedShelf:
    """`share` of all quanta are on the shelf, `at_most` not above it. `reasons` are causes that fit."""

    shelf: Shelf
    share: float
    at_most: float
    distance: int
    distance_ns: int | None
    state: State
    reasons: Sequence[tuple[Suspect, ...]]
    summary: str


@dataclass(frozen=True)
class VariantShelves:
    """`lost` is the part of the work that is missing to the top, `recorded` what the trace shows of it.

    `summary` is about the shelf that costs most.
    """

    name: str
    quanta: int
    quantum_ns: int | None
    lost: float | None = None
    recorded: float | None = None
    shelves: Sequence[JudgedShelf] = ()
    tick: TickShares | None = None
    summary: str = "no plateau holds a hundredth of the quanta, and at least ten of them"


@dataclass(frozen=True)
class Shelves:
    """`top` is the highest count on a shelf of all variants, None where they are of different quanta."""

    top: int | None
    top_variant: str | None
    notes: Sequence[str]
    sentence: str
    variants: Sequence[VariantShelves]


@dataclass
class _Side:
    """A variant on its way."""

    members: Members
    quantum_ns: int | None
    ticks: Sequence[TickCost]
    suspects: Suspects | None
    shelves: Sequence[Shelf] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.members.variant.name

    @property
    def quanta(self) -> int:
        return sum(one.summary.count for one in self.members.members)

    @property
    def mean(self) -> Fraction:
        return Fraction(sum(one.summary.total_ns for one in self.members.members), self.quanta)


@dataclass(frozen=True)
class Counted:
    """What was read of variants of counts, before their shelves are found; `program` did the counting."""

    sides: Sequence[_Side]
    program: str

    def shelves(self) -> Shelves:
        """Takes a fraction of a second of CPU time."""
        return _explained(self.sides, self.program)


async def shelves(database: Database, request: CompareRequest) -> Shelves:
    """Reads the summaries of all traces and nothing of their samples and events.

    Raises: NotFound, InvalidParameter.
    """
    async with database.session() as session:
        found = await find_members(session, request)
        if any(members.members for members in found) and unit_of(found) != "none":
            message = (
                "shelves are found in counts of work per quantum, as FTQ has them, and these are durations"
            )
            raise InvalidParameter("measure", message, location="body")
        recorded, _ = await find_recorded(session, request, found)
        counted = await find_counted(session, request, found, recorded)
    return await in_thread(counted.shelves)


async def find_counted(
    session: AsyncSession, request: CompareRequest, found: Sequence[Members], recorded: Sequence[Recorded]
) -> Counted:
    """Of variants whose samples are counts of work per quantum."""
    keys = [one.trace.key for members in found for one in members.members]
    sources = await groups_of(session, keys, request.measure.kind, "key", _MAX_SOURCES)
    # A source of measurements begins with the name of its program.
    programs = sorted({source.name.split(" ", 1)[0] for source in sources})
    sides = [
        _Side(
            members,
            _quantum_ns(members.members),
            tick_costs(rows),
            await find_suspects(session, _ready(members), programs),
        )
        for members, rows in zip(found, recorded, strict=True)
    ]
    return Counted(sides, ", ".join(programs))


def _ready(members: Members) -> list[int]:
    ready = [one for one in members.traces if one.status == TraceStatus.READY]
    return [one.key for one in ready if members.scale.holds(one)]


def _quantum_ns(members: Sequence[Member]) -> int | None:
    """As the files state it, else from one start to the next; None where they differ."""
    found = [quantum for member in members if (quantum := _quantum_of(member)) is not None]
    if not found or max(found) > (1 + _SAME_QUANTUM) * min(found):
        return None
    return found[0]


def _quantum_of(member: Member) -> int | None:
    stated = str((member.trace.facts or {}).get("quantum_ns", ""))
    if stated.isascii() and stated.isdigit() and len(stated) <= len(str(_MAX_QUANTUM_NS)):
        return int(stated) or None
    steps, span_ns = member.summary.count - 1, member.trace.duration_ns
    return round(span_ns / steps) or None if steps > 0 and span_ns else None


def _explained(sides: Sequence[_Side], program: str) -> Shelves:
    counted = [side for side in sides if side.members.members]
    for side in counted:
        side.shelves = find_shelves(merge([member.histogram for member in side.members.members]))
    notes = _scale_notes(counted)
    if notes:
        variants = [_of_variant(side, highest(side.shelves), program) for side in sides]
        return Shelves(None, None, notes, shelf_sentence(variants), variants)
    top = highest([shelf for side in counted for shelf in side.shelves])
    variants = [_of_variant(side, top, program) for side in sides]
    reaching = [side for side in counted if top in side.shelves]
    if top is not None:
        notes = _top_notes(top, [side for side in counted if _reaches(side, top)])
    name = reaching[0].name if reaching else None
    return Shelves(None if top is None else top.high, name, notes, shelf_sentence(variants), variants)


def _scale_notes(sides: Sequence[_Side]) -> list[str]:
    """Why the variants have no scale in common; nothing where they have one."""
    quanta = [side.quantum_ns for side in sides]
    known = [one for one in quanta if one is not None]
    if len(known) < len(quanta) or (known and max(known) > (1 + _SAME_QUANTUM) * min(known)):
        lengths = "; ".join(
            f"{side.name}: {'not known' if side.quantum_ns is None else amount(side.quantum_ns, 'ns')}"
            for side in sides
        )
        return [f"The quanta differ ({lengths}), so each variant is measured against its own highest shelf."]
    works = {
        str((member.trace.facts or {}).get("work", "")) for side in sides for member in side.members.members
    }
    if len(works) > 1:
        return ["The units of work differ, so each variant is measured against its own highest shelf."]
    return []


def _reaches(side: _Side, top: Shelf) -> bool:
    return any(_is_top(top, shelf) for shelf in side.shelves)


def _is_top(top: Shelf, shelf: Shelf) -> bool:
    """Counts are whole: an edge may lie one lower by chance."""
    return shelf.high >= top.low - 1


def _top_notes(top: Shelf, reaching: Sequence[_Side]) -> list[str]:
    """Whether the top is the undisturbed quantum."""
    traced = [side for side in reaching if side.suspects is not None]
    if not traced:
        return [
            f"{top.high:,} is taken for the undisturbed quantum. No trace says whether something comes in "
            "every quantum."
        ]
    disturbed = [(side, one) for side in traced for one in _in_every_quantum(side)]
    if len({side.name for side, _ in disturbed}) < len(traced):
        return []
    side, one = disturbed[0]
    return [
        f"{top.high:,} is not the undisturbed quantum: {one.called()} comes in every quantum of {side.name}, "
        f"{one.per_s:,.0f} times a second. A variant without it would show what it takes."
    ]


def _in_every_quantum(side: _Side) -> list[Suspect]:
    if side.suspects is None or side.quantum_ns is None:
        return []
    return [one for one in side.suspects.suspects if one.per_s * side.quantum_ns >= _EVERY * _NS_PER_S]


def _resolution(top: Shelf, shelf: Shelf) -> float:
    """Counts are whole, and wide shelves have no sharp edges."""
    return max(1.0, (top.high - top.low + shelf.high - shelf.low) / 4)


def _of_variant(side: _Side, top: Shelf | None, program: str) -> VariantShelves:
    if top is None or not side.members.members:
        return VariantShelves(side.name, side.quanta, side.quantum_ns)
    found: list[JudgedShelf] = []
    for shelf in side.shelves:
        found.append(_with_summary(_reasoned(side, top, shelf, found), top))
    suspects = side.suspects
    return VariantShelves(
        name=side.name,
        quanta=side.quanta,
        quantum_ns=side.quantum_ns,
        lost=float(1 - side.mean / top.high),
        recorded=suspects.taken_ns / suspects.ran_ns if suspects and suspects.ran_ns else None,
        shelves=found,
        tick=_tick(side, found, program),
        summary=_clause(found, side.quantum_ns),
    )


def _reasoned(side: _Side, top: Shelf, shelf: Shelf, above: Sequence[JudgedShelf]) -> JudgedShelf:
    below, quanta = distance(top, shelf), side.quanta
    ns_per_count = None if side.quantum_ns is None else side.quantum_ns / top.high
    found = JudgedShelf(
        shelf=shelf,
        share=shelf.count / quanta,
        at_most=shelf.at_most / quanta,
        distance=below,
        distance_ns=None if ns_per_count is None else round(below * ns_per_count),
        state="unexplained",
        reasons=(),
        summary="",
    )
    if _is_top(top, shelf):
        return replace(found, state="top")
    if side.quantum_ns is None or ns_per_count is None:
        return replace(found, state="unscaled")
    if side.suspects is None:
        return replace(found, state="untraced")
    # From the top; else from an explained shelf above, whose events all occur in these quanta, too.
    parents: list[tuple[Shelf, tuple[Suspect, ...]]] = [(top, ())]
    parents += [(one.shelf, one.reasons[0]) for one in reversed(above) if one.state == "explained"]
    for parent, own in parents:
        step = Step(
            distance_ns=distance(parent, shelf) * ns_per_count,
            resolution_ns=_resolution(parent, shelf) * ns_per_count,
            share=found.share,
            at_most=found.at_most,
            quanta=quanta,
            quantum_ns=side.quantum_ns,
        )
        others = [one for one in side.suspects.suspects if one not in own]
        sets = reasons(step, others)
        if sets:
            state: State = "explained" if len(sets) == 1 else "ambiguous"
            return replace(found, state=state, reasons=[own + one for one in sets])
    return found


def _with_summary(found: JudgedShelf, top: Shelf) -> JudgedShelf:
    summary = "the most work in a quantum"
    ns = "" if found.distance_ns is None else f" ({amount(found.distance_ns, 'ns', digits=3)})"
    below = f"{found.distance:,} counts{ns} below {top.high:,}"
    match found.state:
        case "explained":
            summary = f"{below}: {_listed(found.reasons[0])}"
        case "ambiguous":
            summary = (
                f"{below}: cost and rate of several causes fit, {'; or '.join(map(_listed, found.reasons))}"
            )
        case "unexplained":
            summary = f"{below}: no record of what took it"
        case "untraced":
            summary = f"{below}: no trace of this variant recorded what took it"
        case "unscaled":
            summary = f"{below}: the length of a quantum is not known"
    return replace(found, summary=summary)


def _listed(causes: Sequence[Suspect]) -> str:
    parts = [
        f"{one.called()}, {one.per_s:,.0f} a second, {amount(one.mean_ns, 'ns', digits=3)} between its events"
        for one in causes
    ]
    return " and ".join(parts)


def _tick(side: _Side, found: Sequence[JudgedShelf], program: str) -> TickShares | None:
    """Of the shelf that only the tick makes."""
    for one in found:
        if one.state != "explained" or side.quantum_ns is None or one.distance_ns is None:
            continue
        causes = one.reasons[0]
        if len(causes) == 1 and causes[0].is_tick and side.suspects is not None:
            count = times(causes[0], side.quantum_ns)
            per_s = count * one.at_most * _NS_PER_S / side.quantum_ns
            cost_ns = round(one.distance_ns / count)
            return tick_shares(cost_ns, per_s, causes[0], side.ticks, program, side.suspects.cpus)
    return None


def shelf_sentence(variants: Sequence[VariantShelves]) -> str:
    """What takes the most work of each variant."""
    return f"{'; '.join(f'{variant.name}: {variant.summary}' for variant in variants)}."


def _clause(found: Sequence[JudgedShelf], quantum_ns: int | None) -> str:
    """What the shelf is that costs most."""
    lower = [one for one in found if one.state != "top"]
    if not lower:
        return "no shelf lies below the highest"
    main = max(lower, key=lambda one: one.at_most * one.distance)
    of = f"{100 * main.at_most:.0f} % of its quanta"
    if quantum_ns is None or main.distance_ns is None:
        return f"{main.distance:,} counts are missing in {of}"
    share = main.distance_ns * main.at_most / quantum_ns
    cost, of = amount(main.distance_ns, "ns", digits=3), f"{of}, {100 * share:.3g} % of the time"
    match main.state:
        case "explained":
            return f"{' and '.join(one.called() for one in main.reasons[0])} takes {cost} in {of}"
        case "unexplained":
            return f"{cost} are missing in {of}, with no record of what took them"
        case "ambiguous":
            return f"{cost} are missing in {of}, and several causes fit"
        case _:
            return f"{cost} are missing in {of}"
