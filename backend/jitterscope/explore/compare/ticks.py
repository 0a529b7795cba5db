"""What the scheduler's tick costs: the mean of a tick times how often it comes."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from jitterscope.explore.compare.recorded import Recorded
from jitterscope.explore.compare.words import amount

_NS_PER_S = 1_000_000_000
# No kernel ticks much more often than CONFIG_HZ=1000. Past this, the tick went on while the CPU was idle, and
# ticks for each second that tasks ran say nothing.
_MAX_HZ = 1_300


@dataclass(frozen=True)
class TickCost:
    """The ticks of one CPU in all traces of a variant.

    `per_s` is from the first tick of each trace to its last, idle time and all; `per_busy_s` is for each
    second that tasks ran, None where the tick does not stop with them. `recorded_share` is what ticks took of
    the recorded time, None where they came during a part of it only. Where the unit is ticks of a clock, a
    second is not known.
    """

    cpu: int
    is_handler_known: bool
    count: int
    mean_ns: int
    max_ns: int
    per_s: float | None
    per_busy_s: float | None
    recorded_share: float | None
    unit: str = "ns"

    @property
    def hz(self) -> float | None:
        """The rate while the tick is on. An idle CPU stops its tick, and `per_s` is low."""
        if self.per_s is not None and self.per_busy_s is not None and self.per_s < 0.9 * self.per_busy_s:
            return self.per_busy_s
        return self.per_s

    @property
    def share(self) -> float | None:
        """Of the CPU's time while the tick is on: cost × rate.

        Where that is all of the recorded time, it is the sum of the ticks over that time, as everywhere else.
        The rate is between ticks, so that its product with the cost can differ in the third digit.
        """
        if self.hz == self.per_s and self.recorded_share is not None:
            return self.recorded_share
        return None if self.hz is None else self.mean_ns * self.hz / _NS_PER_S

    def product(self) -> str:
        """`15.7 µs × 1000 Hz = 1.57 % of CPU 1`."""
        cost = amount(self.mean_ns, self.unit, digits=3)
        if self.hz is None or self.share is None:
            return f"{'once' if self.count == 1 else f'{self.count:,} times'}, {cost}, on CPU {self.cpu}"
        of = f"CPU {self.cpu}"
        if self.hz == self.per_s and self.recorded_share is None:
            of = f"{of} from the first tick to the last"
        elif self.hz != self.per_s:
            of = f"the time that tasks ran on CPU {self.cpu} ({self.per_s:.3g} Hz including idle time)"
        return f"{cost} × {self.hz:.0f} Hz = {100 * self.share:.3g} % of {of}"


def tick_costs(recorded: Recorded, unit: str = "ns") -> list[TickCost]:
    """For each CPU that had ticks, in the order of CPUs."""
    by_cpu = defaultdict(list)
    for tick in recorded.ticks:
        by_cpu[tick.cpu].append(tick)
    busy_ns: dict[int, int] = defaultdict(int)
    for row in recorded.interference:
        if row.cause == "sched":
            busy_ns[row.cpu] += row.total_ns
    found = []
    for cpu, ticks in sorted(by_cpu.items()):
        count = sum(tick.count for tick in ticks)
        steps, span_ns = count - len(ticks), sum(tick.span_ns for tick in ticks)
        total_ns = sum(tick.total_ns for tick in ticks)
        recorded_ns = sum(recorded.recorded_ns(cpu).values())
        # A recording begins up to a period before the first tick and ends up to one after the last.
        is_throughout = steps > 0 and (recorded_ns - span_ns) * steps <= 2 * len(ticks) * span_ns
        has_seconds = unit != "ticks"
        per_busy_s = count * _NS_PER_S / busy_ns[cpu] if busy_ns[cpu] and has_seconds else None
        found.append(
            TickCost(
                cpu=cpu,
                is_handler_known=all(tick.is_handler_known for tick in ticks),
                count=count,
                mean_ns=round(total_ns / count),
                max_ns=max(tick.max_ns for tick in ticks),
                per_s=steps * _NS_PER_S / span_ns if span_ns and has_seconds else None,
                per_busy_s=per_busy_s if per_busy_s is not None and per_busy_s <= _MAX_HZ else None,
                recorded_share=total_ns / recorded_ns if is_throughout and recorded_ns else None,
                unit=unit,
            )
        )
    return found
