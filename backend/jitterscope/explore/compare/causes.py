"""What took the CPUs before and after: interrupts, softirqs, other tasks, the tick."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from jitterscope.explore.compare.members import Members
from jitterscope.statistics.resampling import MIN_TRACES, compare_means
from jitterscope.store.summaries import Interference

_NS_PER_S = 1_000_000_000
# Shares are compared as nanoseconds a second.
_SHOWN = 50


@dataclass
class _Taken:
    """By trace: runs and their time."""

    counts: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    totals_ns: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    max_ns: int = 0

    def add(self, row: Interference) -> None:
        self.counts[row.trace_key] += row.count
        self.totals_ns[row.trace_key] += row.total_ns
        self.max_ns = max(self.max_ns, row.max_ns)


@dataclass(frozen=True)
class Rate:
    """Runs a second, the share of a CPU's time, the mean and the longest run; None where it never ran."""

    per_s: float
    share: float
    mean_ns: int | None
    max_ns: int | None


@dataclass(frozen=True)
class Cause:
    """One that took more or less of a CPU than before; `is_real` is None where too few traces tell."""

    cpu: int
    cause: str
    name: str | None
    before: Rate
    after: Rate
    is_real: bool | None


def causes(
    before: tuple[Members, Sequence[Interference]], after: tuple[Members, Sequence[Interference]]
) -> list[Cause]:
    """The largest difference of time first."""
    sides = [_by_cause(rows) for _, rows in (before, after)]
    found = []
    for cpu, cause, name in sides[0].keys() | sides[1].keys():
        taken = [side.get((cpu, cause, name), _Taken()) for side in sides]
        rates = [_rate(members, one) for (members, _), one in zip((before, after), taken, strict=True)]
        is_real = _is_real((before[0], taken[0]), (after[0], taken[1]))
        found.append(Cause(cpu, cause, name, rates[0], rates[1], is_real))
    found.sort(key=lambda one: (-abs(one.after.share - one.before.share), one.cpu, one.cause, one.name or ""))
    return found[:_SHOWN]


def _by_cause(rows: Sequence[Interference]) -> dict[tuple[int, str, str | None], _Taken]:
    found: dict[tuple[int, str, str | None], _Taken] = defaultdict(_Taken)
    for row in rows:
        found[row.cpu, row.cause, row.name].add(row)
    return found


def _durations(members: Members) -> dict[int, int]:
    return {one.trace.key: one.trace.duration_ns or 0 for one in members.members}


def _rate(members: Members, taken: _Taken) -> Rate:
    durations = sum(_durations(members).values())
    count, total_ns = sum(taken.counts.values()), sum(taken.totals_ns.values())
    if durations == 0:
        return Rate(0.0, 0.0, None, None)
    return Rate(
        per_s=count * _NS_PER_S / durations,
        share=total_ns / durations,
        mean_ns=round(total_ns / count) if count else None,
        max_ns=taken.max_ns if count else None,
    )


def _is_real(before: tuple[Members, _Taken], after: tuple[Members, _Taken]) -> bool | None:
    """Whether the share differs, by the traces drawn anew: each weighs as much as it lasted."""
    sides = []
    for members, taken in (before, after):
        durations = {key: duration for key, duration in _durations(members).items() if duration > 0}
        if len(durations) < MIN_TRACES:
            return None
        sides.append([(duration, taken.totals_ns.get(key, 0) * 1_000) for key, duration in durations.items()])
    scaled = [[(duration, total * 1_000_000) for duration, total in side] for side in sides]
    return compare_means((scaled[0], scaled[1])).is_real
