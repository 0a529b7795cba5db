"""Numbers of a comparison as people write them."""

from collections.abc import Iterable

_SHOWN = 3
# More digits than a float of any share has zeros behind its point.
_MOST_DIGITS = 20


def title(number: str) -> str:
    """`p99_9_ns` as people write it: p99.9."""
    name = number.removesuffix("_ns")
    return name.replace("_", ".") if name.startswith("p") else name


def amount(value: int, unit: str, digits: int = 4) -> str:
    """A duration in the unit that keeps it short, ticks of a clock, or a bare number."""
    if unit == "ticks":
        return counted(value, "clock tick")
    if unit != "ns":
        return f"{value:,}"
    for size, name in ((1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs")):
        if abs(value) >= size:
            return f"{value / size:.{digits}g} {name}"
    return f"{value} ns"


def counted(count: int, what: str) -> str:
    """`1 trace`, `1,234 traces`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def listed(names: Iterable[str]) -> str:
    """The first of them in order, and how many more there are."""
    ordered = sorted(names)
    more = len(ordered) - _SHOWN
    # One more name takes no more room than its number.
    return ", ".join(ordered) if more <= 1 else f"{', '.join(ordered[:_SHOWN])} and {more:,} more"


def percent_change(share: float, digits: int = 0) -> str:
    """`+43 %`; with more than `digits` where the change would read as none: a change is never `+0 %`."""
    while share and digits < _MOST_DIGITS and float(f"{100 * share:.{digits}f}") == 0:
        digits += 1
    return f"{100 * share:+,.{digits}f} %".replace("-", "\N{MINUS SIGN}")
