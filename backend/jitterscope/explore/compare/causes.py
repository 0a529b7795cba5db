"""What took the CPUs before and after: interrupts, softirqs, other tasks, the tick."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from jitterscope.explore.compare.recorded import Recorded
from jitterscope.statistics.resampling import MIN_TRACES, compare_means

_NS_PER_S = 1_000_000_000
# Shares are compared as nanoseconds in this time.
_SCALE = 1_000_000_000
# Of all CPUs, and once more of those of the measured tasks.
_SHOWN = 50

_Key = tuple[int, str, str | None]


@dataclass
class _Sums:
    """By trace: runs and their time."""

    counts: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    totals_ns: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    max_ns: int = 0

    def add(self, trace_key: int, count: int, total_ns: int, max_ns: int) -> None:
        self.counts[trace_key] += count
        self.totals_ns[trace_key] += total_ns
        self.max_ns = max(self.max_ns, max_ns)


@dataclass(frozen=True)
class Rate:
    """Runs a second, the share of a CPU's time, the mean and the longest run; None where it never ran."""

    per_s: float
    share: float
    mean_ns: int | None
    max_ns: int | None


@dataclass(frozen=True)
class Cause:
    """One that took more or less of a CPU than before.

    `interval` is of the difference of shares; it and `is_real` are None where there are too few traces.
    """

    cpu: int
    cause: str
    name: str | None
    before: Rate
    after: Rate
    is_real: bool | None = None
    interval: tuple[float, float] | None = None


def causes(
    before: Recorded,
    after: Recorded,
    cpus: frozenset[int],
    whole: tuple[Recorded, Recorded] | None = None,
) -> list[Cause]:
    """The largest difference of time first; of the CPUs in `cpus`, more of them.

    `whole` is all that both sides recorded, where only some of their CPUs are meant.
    """
    sides = [_by_cause(recorded) for recorded in (before, after)]
    found = []
    for key in sides[0].keys() | sides[1].keys():
        cpu, cause, name = key
        rates = [
            _rate(recorded.recorded_ns(cpu), side.get(key, _Sums()))
            for recorded, side in zip((before, after), sides, strict=True)
        ]
        found.append(Cause(cpu, cause, name, rates[0], rates[1]))
    found.sort(key=lambda one: (-abs(one.after.share - one.before.share), one.cpu, one.cause, one.name or ""))
    theirs = [one for one in found[_SHOWN:] if one.cpu in cpus][:_SHOWN]
    recording = [_families(recorded) for recorded in whole or (before, after)]
    return [_tested(one, (before, after), sides, recording) for one in found[:_SHOWN] + theirs]


def family(cause: str, name: str | None) -> str:
    """What is recorded together: numbered interrupt lines and vectors have separate events."""
    if cause == "irq":
        return "irq line" if (name or "").endswith("]") else "irq vector"
    return cause


def _by_cause(recorded: Recorded) -> dict[_Key, _Sums]:
    found: dict[_Key, _Sums] = defaultdict(_Sums)
    for row in recorded.interference:
        found[row.cpu, row.cause, row.name].add(row.trace_key, row.count, row.total_ns, row.max_ns)
    for tick in recorded.ticks:
        found[tick.cpu, "tick", None].add(tick.trace_key, tick.count, tick.total_ns, tick.max_ns)
    return found


def _families(recorded: Recorded) -> frozenset[str]:
    """What every trace of a variant recorded: of anything else, none seen does not mean that none was."""
    by_trace: dict[int, set[str]] = {key: set() for key in recorded.durations}
    for row in recorded.interference:
        by_trace[row.trace_key].add(family(row.cause, row.name))
    for tick in recorded.ticks:
        by_trace[tick.trace_key].add("tick")
    return frozenset[str].intersection(*map(frozenset, by_trace.values())) if by_trace else frozenset()


def _rate(recorded_ns: Mapping[int, int], sums: _Sums) -> Rate:
    durations = sum(recorded_ns.values())
    count, total_ns = sum(sums.counts.values()), sum(sums.totals_ns.values())
    if durations == 0:
        return Rate(0.0, 0.0, None, None)
    return Rate(
        per_s=count * _NS_PER_S / durations,
        share=total_ns / durations,
        mean_ns=round(total_ns / count) if count else None,
        max_ns=sums.max_ns if count else None,
    )


def _tested(
    cause: Cause,
    variants: tuple[Recorded, Recorded],
    sides: Iterable[Mapping[_Key, _Sums]],
    recording: Iterable[frozenset[str]],
) -> Cause:
    """Whether the share differs, by the traces drawn anew: each weighs as much as it lasted."""
    if not all(family(cause.cause, cause.name) in families for families in recording):
        return cause
    shares = []
    for recorded, side in zip(variants, sides, strict=True):
        sums = side.get((cause.cpu, cause.cause, cause.name), _Sums())
        recorded_ns = recorded.recorded_ns(cause.cpu)
        durations = {key: duration for key, duration in recorded_ns.items() if duration > 0}
        if len(durations) < MIN_TRACES:
            return cause
        shares.append(
            [(duration, sums.totals_ns.get(key, 0) * _SCALE) for key, duration in durations.items()]
        )
    difference = compare_means((shares[0], shares[1]))
    span = difference.interval
    return replace(
        cause,
        is_real=difference.is_real,
        interval=None if span is None else (span.low / _SCALE, span.high / _SCALE),
    )
