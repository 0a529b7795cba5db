"""Times as reports print them."""

_UNITS = (("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1_000))
_DIGITS = 3
_NEXT_UNIT = 1_000


def ticks_text(count: int) -> str:
    """`1 clock tick`, `12,345 clock ticks`."""
    sign = "\N{MINUS SIGN}" if count < 0 else ""
    return f"{sign}{abs(count):,} clock tick{'' if abs(count) == 1 else 's'}"


def exact_time(ns: int, unit: str = "ns") -> str:
    """To the nanosecond: `1,063.996 µs`."""
    if unit == "ticks":
        return ticks_text(ns)
    whole, rest = divmod(abs(ns), 1_000)
    sign = "\N{MINUS SIGN}" if ns < 0 else ""
    return f"{sign}{whole:,}.{rest:03} µs"


def exact_delta(ns: int, unit: str = "ns") -> str:
    return f"{'+' if ns > 0 else ''}{exact_time(ns, unit)}"


def duration_text(duration: int, unit: str = "ns") -> str:
    """`8.964 ms`, `17.36 µs`, `512 ns`: rounded; `12 clock ticks` of clocks without nanoseconds."""
    if unit == "ticks":
        return ticks_text(duration)
    if unit != "ns":
        return f"{duration:,} {unit}"
    sign, length = "-" if duration < 0 else "", abs(duration)
    for name, size in _UNITS:
        if length >= size:
            places = max(1, _DIGITS - len(str(length // size)) + 1) if name == "µs" else _DIGITS
            place = size // 10**places
            whole, part = divmod((length + place // 2) // place, 10**places)
            if whole == _NEXT_UNIT and name != "s":
                return f"{sign}{duration_text(whole * size)}"
            return f"{sign}{whole}.{part:0{places}} {name}"
    return f"{duration} ns"


def axis_text(at: int, unit: str) -> str:
    """The same at an axis, where there is no room to say of each number that it counts ticks."""
    return f"{at:,}" if unit == "ticks" else duration_text(at, unit)


def place_text(t_ns: int, unit: str = "ns") -> str:
    """`0.998000000 s after the first record`; what a tracer reports may begin before it."""
    if unit == "ticks":
        return f"{ticks_text(abs(t_ns))} {'before' if t_ns < 0 else 'after'} the first record"
    seconds, rest = divmod(abs(t_ns), 1_000_000_000)
    return f"{seconds}.{rest:09} s {'before' if t_ns < 0 else 'after'} the first record"


def value_text(value: int, unit: str) -> str:
    """`17.36 µs`, and of bare numbers `1,078`."""
    return f"{value:,}" if unit == "none" else duration_text(value, unit)


def value_delta(value: int, unit: str) -> str:
    sign = "\N{MINUS SIGN}" if value < 0 else "+" if value else ""
    return f"{sign}{value_text(abs(value), unit)}"


def share_text(part: int, whole: int) -> str:
    """`23.5 %`, as the page rounds it; what is there is never `0.0 %`."""
    if part * 1_000 < whole and part > 0:
        return "< 0.1 %"
    whole = max(1, whole)
    tenths = (2_000 * part + whole) // (2 * whole)
    return f"{tenths // 10}.{tenths % 10} %"


def stretches_text(count: int) -> str:
    """What is said of the links of a chain that there is no room for."""
    return "one shorter stretch" if count == 1 else f"{count:,} shorter stretches"
