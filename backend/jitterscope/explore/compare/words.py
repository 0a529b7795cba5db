"""Numbers of a comparison as people write them."""

# More digits than a float of any share has zeros behind its point.
_MOST_DIGITS = 20


def title(number: str) -> str:
    """`p99_9_ns` as people write it: p99.9."""
    name = number.removesuffix("_ns")
    return name.replace("_", ".") if name.startswith("p") else name


def amount(value: int, unit: str, digits: int = 4) -> str:
    """A duration in the unit that keeps it short, or a bare number."""
    if unit != "ns":
        return f"{value:,}"
    for size, name in ((1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs")):
        if abs(value) >= size:
            return f"{value / size:.{digits}g} {name}"
    return f"{value} ns"


def percent_change(share: float, digits: int = 0) -> str:
    """`+43 %`; with more than `digits` where the change would read as none: a change is never `+0 %`."""
    while share and digits < _MOST_DIGITS and float(f"{100 * share:.{digits}f}") == 0:
        digits += 1
    return f"{100 * share:+,.{digits}f} %".replace("-", "\N{MINUS SIGN}")
