"""The order in which people would write the values of a label: 1ms, 10ms, 100ms, 1s; 6.9, 6.12-rc1, 6.12."""

from __future__ import annotations

import re
from collections.abc import Iterable

# By unit, what it measures and how much of it. A bare number has no unit.
_UNITS: dict[str, tuple[str, float]] = {
    "": ("number", 1),
    "%": ("percent", 1),
    **{
        unit: ("time", size)
        for unit, size in {
            "ns": 1,
            "us": 1e3,
            "µs": 1e3,
            "μs": 1e3,
            "ms": 1e6,
            "s": 1e9,
            "min": 6e10,
            "h": 3.6e12,
        }.items()
    },
    **{unit: ("frequency", size) for unit, size in {"Hz": 1, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9}.items()},
    **{unit: ("size", size) for unit, size in {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}.items()},
}
_QUANTITY = re.compile(r"([+-]?\d{1,18}(?:\.\d{1,18})?) ?([A-Za-zµμ%]{0,3})")
_TOKEN = re.compile(r"(\d+)|([A-Za-z]+)")
# A version with one of these comes before the version itself.
_BEFORE_RELEASE = frozenset({"rc", "alpha", "beta", "pre", "dev", "next"})
# Of labels with these names, "6.12" is no number that is less than "6.9".
_VERSION_NAMES = re.compile(r"kernel|version|release|build|tag", re.IGNORECASE)

_Token = tuple[int, int, str]
_END: _Token = (1, 0, "")


def natural_order(values: Iterable[str], name: str = "") -> list[str]:
    """Distinct values in ascending order: quantities of one unit by size, all else as versions.

    `name` is that of the label, which distinguishes versions of two parts from decimal fractions. What is no
    quantity comes after those that are.
    """
    distinct = set(values)
    quantities = {} if _VERSION_NAMES.search(name) else _quantities(distinct)
    return sorted(
        distinct,
        key=lambda value: (value not in quantities, quantities.get(value, 0.0), version_key(value), value),
    )


def version_key(value: str) -> list[_Token]:
    """Numbers in it count as numbers, and release candidates come before what they became."""
    tokens: list[_Token] = []
    for digits, letters in _TOKEN.findall(value):
        word = letters.lower()
        if digits:
            # Numbers of any length, as int() refuses to read very long ones.
            stripped = digits.lstrip("0")
            tokens.append((3, len(stripped), stripped))
        else:
            tokens.append((0 if word in _BEFORE_RELEASE else 2, 0, word))
    return [*tokens, _END]


def _quantities(values: Iterable[str]) -> dict[str, float]:
    """Those that are quantities, if all of them measure the same."""
    found = {}
    measured = set()
    for value in values:
        match = _QUANTITY.fullmatch(value)
        unit = _UNITS.get(match[2]) if match else None
        if match and unit:
            measured.add(unit[0])
            found[value] = float(match[1]) * unit[1]
    return found if len(measured) == 1 else {}
