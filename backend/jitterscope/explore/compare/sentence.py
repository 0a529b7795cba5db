"""What a comparison says in one sentence."""

from __future__ import annotations

from collections.abc import Mapping

from jitterscope.explore.compare.card import QUANTILES, Card
from jitterscope.explore.compare.words import amount, percent_change, title
from jitterscope.statistics.resampling import Difference, Interval

# The rarest first: it is what people tune for.
_ORDER = [*reversed(QUANTILES), "mean_ns"]
# Of a percentage; a narrower interval is not mentioned.
_MAX_DIGITS = 2
# What grew manifold is said as a factor: from 11 times on, as in the table under the sentence.
_LEAST_RISE = 10


def sentence(
    names: tuple[str, str],
    cards: tuple[Card, Card],
    found: Mapping[str, Difference],
    *,
    unit: str,
) -> str:
    """The rarest number that really differs; else that nothing is known to.

    It names no cause; `proven` may add one.
    """
    for name, card in zip(names, cards, strict=True):
        if card.samples == 0:
            return f"{name} has no samples of this measure."
    number = real_number(found)
    if number is None:
        return _no_difference(names, cards, found, unit)
    before, after = cards[0].numbers[number], cards[1].numbers[number]
    if before is None or after is None:
        return _no_difference(names, cards, found, unit)
    return f"{_changed(number, (before, after), found[number], unit)}."


def _changed(number: str, ends: tuple[int, int], difference: Difference, unit: str) -> str:
    before, after = ends
    verb = "fell" if after < before else "rose" if after > before else "differs"
    change = f"{title(number)} {verb} from {amount(before, unit)} to {amount(after, unit)}"
    interval = difference.interval
    if before and interval is not None:
        change += f" ({_shares(before, after, interval)})"
    return change


def _shares(before: int, after: int, interval: Interval) -> str:
    """`-43 %, 95 % interval -61 to -39 %`, with enough digits to distinguish the ends of the interval."""
    low, high = sorted((interval.low / before, interval.high / before))
    change = (after - before) / before
    say = _factor if change >= _LEAST_RISE else percent_change
    for digits in range(_MAX_DIGITS + 1):
        ends = say(low, digits), say(high, digits)
        if ends[0] != ends[1]:
            # A unit is said once, at the end.
            return f"{say(change, digits)}, 95 % interval {ends[0].removesuffix(' %')} to {ends[1]}"
    return say(change)


def real_number(found: Mapping[str, Difference]) -> str | None:
    """The rarest number that really differs."""
    return next((name for name in _ORDER if name in found and found[name].is_real), None)


def _no_difference(
    names: tuple[str, str], cards: tuple[Card, Card], found: Mapping[str, Difference], unit: str
) -> str:
    known = [name for name in _ORDER if name in found and found[name].is_real is not None]
    number = known[0] if known else "max_ns"
    amounts = [
        f"{amount(card.numbers[number] or 0, unit)} ({name})" for name, card in zip(names, cards, strict=True)
    ]
    both = f"{'the maximum' if number == 'max_ns' else title(number)} is {amounts[0]} and {amounts[1]}"
    if known:
        return f"No difference at 95 % confidence: {both}."
    if found:
        return (
            _within_runs(cards, found, unit) or f"No difference within these runs at 95 % confidence: {both}."
        )
    return f"Too few traces or samples to tell a difference from chance: {both}."


def _within_runs(cards: tuple[Card, Card], found: Mapping[str, Difference], unit: str) -> str | None:
    """The rarest number that differs by the intervals of the runs; for more there are too few."""
    for number in _ORDER:
        interval = found[number].interval if number in found else None
        before, after = cards[0].numbers[number], cards[1].numbers[number]
        if interval is None or before is None or after is None or interval.holds_zero:
            continue
        change = _changed(number, (before, after), found[number], unit)
        return f"Within these runs, {change}; fewer than five on a side say nothing about other runs."
    return None


def _factor(share: float, digits: int = 0) -> str:
    """`×32`, of what rose by 31 times itself."""
    return f"×{1 + share:,.{digits}f}"
