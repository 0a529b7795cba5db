"""Where the busier machine is the faster one, which surprises people who compare it with an idle one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from jitterscope import _ftrace
from jitterscope.statistics.resampling import Difference

# How late tasks are that a CPU has to wake up for.
_OF_WAKEUPS = frozenset(
    kind["kind"]
    for kind in json.loads(_ftrace.catalog())["latencies"]
    if kind["lateness"] == "measured" or (kind["subject"] == "task" and kind["lateness"] == "late")
)
# What most samples are like; rare ones are late for other reasons.
_USUAL = ("p50_ns", "mean_ns")
# Of the recorded time of a CPU.
_LEAST_MORE = 0.25


@dataclass(frozen=True)
class Side:
    """A variant: its numbers, and for each CPU for which part of the recorded time tasks ran on it."""

    name: str
    numbers: Mapping[str, int | None]
    busy_shares: Mapping[int, float]


def faster_though_busier(
    kind: str, sides: tuple[Side, Side], found: Mapping[str, Difference], cpus: Iterable[int]
) -> str | None:
    """A sentence if one side is usually less late, and the CPUs that count are busier there; else None.

    `cpus` are those of the measured tasks; where none are known, all CPUs count.
    """
    if kind not in _OF_WAKEUPS:
        return None
    number = next((one for one in _USUAL if one in found and _differs(found[one])), None)
    if number is None:
        return None
    slow, fast = sorted(sides, key=lambda side: side.numbers[number] or 0, reverse=True)
    both = slow.busy_shares.keys() & fast.busy_shares.keys()
    counted = sorted(both & set(cpus) or both)
    if not counted or any(fast.busy_shares[cpu] - slow.busy_shares[cpu] < _LEAST_MORE for cpu in counted):
        return None
    shares = "; ".join(
        f"CPU {cpu} {100 * fast.busy_shares[cpu]:.0f} % of the time, "
        f"and {100 * slow.busy_shares[cpu]:.0f} % in {slow.name}"
        for cpu in counted[:2]
    )
    return (
        f"{fast.name} is faster although it is busier: tasks ran on {shares}. A busy CPU has no deep idle "
        "state to leave, and its frequency stays up: split the samples by idle state or frequency to check."
    )


def _differs(difference: Difference) -> bool:
    if difference.is_real is not None:
        return difference.is_real
    return difference.interval is not None and not difference.interval.holds_zero
