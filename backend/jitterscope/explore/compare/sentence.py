"""What a comparison says in one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jitterscope.explore.compare.card import QUANTILES, Card
from jitterscope.explore.compare.causes import Cause
from jitterscope.statistics.resampling import Difference

# The rarest first: it is what people tune for.
_ORDER = [*reversed(QUANTILES), "mean_ns"]


def sentence(
    names: tuple[str, str],
    cards: tuple[Card, Card],
    found: Mapping[str, Difference],
    causes: Sequence[Cause],
    *,
    unit: str,
) -> str:
    """The rarest number that really differs and what changed with it; else that nothing is known to."""
    for name, card in zip(names, cards, strict=True):
        if card.samples == 0:
            return f"{name} has no such samples."
    real = [name for name in _ORDER if name in found and found[name].is_real]
    if not real:
        return _no_difference(names, cards, found, unit)
    number = real[0]
    before, after = cards[0].numbers[number], cards[1].numbers[number]
    if before is None or after is None:
        return _no_difference(names, cards, found, unit)
    verb = "fell" if after < before else "rose" if after > before else "differs"
    told = f"{title(number)} {verb} from {amount(before, unit)} to {amount(after, unit)}"
    interval = found[number].interval
    if before and interval is not None:
        low, high = sorted((interval.low, interval.high), key=abs)
        told += (
            f" ({_percent((after - before) / before)}, 95 % interval {_percent(low / before)} to "
            f"{_percent(high / before)})"
        )
    part = _largest_part(causes, is_less=after < before)
    return f"{told}; {part}." if part else f"{told}."


def _no_difference(
    names: tuple[str, str], cards: tuple[Card, Card], found: Mapping[str, Difference], unit: str
) -> str:
    known = [name for name in _ORDER if name in found and found[name].is_real is not None]
    number = known[0] if known else "max_ns"
    told = [
        f"{amount(card.numbers[number] or 0, unit)} ({name})" for name, card in zip(names, cards, strict=True)
    ]
    both = f"{title(number)} is {told[0]} and {told[1]}"
    if known:
        return f"No difference is real at 95 %: {both}."
    return f"Too few traces or samples to tell a difference from chance: {both}."


def _largest_part(causes: Sequence[Cause], *, is_less: bool) -> str | None:
    """Of what really changed in the same direction, what took the most time."""
    for cause in causes:
        changed = cause.after.share - cause.before.share
        if cause.is_real and changed != 0 and (changed < 0) == is_less:
            return f"largest part: {_told(cause, is_less=is_less)}"
    return None


def _told(cause: Cause, *, is_less: bool) -> str:
    what = f"{cause.name} ({cause.cause})" if cause.name else cause.cause
    rate, other = (cause.before, cause.after) if is_less else (cause.after, cause.before)
    each = amount(rate.mean_ns or 0, "ns")
    ran = f"{_times(rate.per_s)}, {each} each"
    if other.per_s == 0:
        when, verb = ("before", "no longer runs") if is_less else ("now", "runs")
        return f"{what} {verb} on CPU {cause.cpu} ({ran}, {when})"
    verb = "takes less" if is_less else "takes more"
    return (
        f"{what} {verb} of CPU {cause.cpu} ({cause.before.share:.2%} before, {cause.after.share:.2%} after)"
    )


def _times(per_s: float) -> str:
    return f"{per_s:,.0f} times a second" if per_s >= 10 else f"{per_s:.2g} times a second"


def title(number: str) -> str:
    """`p99_9_ns` as people write it: p99.9."""
    name = number.removesuffix("_ns")
    return name.replace("_", ".") if name.startswith("p") else name


def amount(value: int, unit: str) -> str:
    """A duration in the unit that keeps it short, or a bare number."""
    if unit != "ns":
        return f"{value:,}"
    for size, name in ((1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs")):
        if abs(value) >= size:
            return f"{value / size:.4g} {name}"
    return f"{value} ns"


def _percent(share: float) -> str:
    return f"{share:+.0%}".replace("%", " %")
