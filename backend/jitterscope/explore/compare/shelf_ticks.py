"""What a tick takes by the trace and by the shelves, and why the two differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jitterscope.explore.compare.suspects import Suspect
from jitterscope.explore.compare.ticks import TickCost
from jitterscope.explore.compare.words import amount

_NS_PER_S = 1_000_000_000
# Means that lie closer together than this part are the same.
_SAME = 0.02


@dataclass(frozen=True)
class TickShares:
    """`cost_ns` is the distance of the shelf, `per_s` how many quanta a second lie on it or below.

    `why` are whole sentences, and only what is recorded.
    """

    cost_ns: int
    per_s: float
    own: Suspect
    by_trace: TickCost | None
    why: Sequence[str]

    @property
    def share(self) -> float:
        """Of the CPU's time."""
        return self.cost_ns * self.per_s / _NS_PER_S

    def product(self) -> str:
        """`13.7 µs × 1000 Hz = 1.37 % by the shelves`."""
        return f"{_product(self.cost_ns, self.per_s)} by the shelves"


def tick_shares(
    cost_ns: int, per_s: float, own: Suspect, ticks: Sequence[TickCost], program: str, cpus: Sequence[int]
) -> TickShares:
    """Of the shelf that the tick makes, which came to `own` while the program ran."""
    by_trace = next((tick for tick in ticks if [tick.cpu] == list(cpus)), None)
    why = []
    count, total_ns = own.others
    if by_trace is not None and count and abs(by_trace.mean_ns - own.mean_ns) > _SAME * own.mean_ns:
        why.append(
            f"The mean by the trace counts all ticks of CPU {by_trace.cpu}. {count:,} of its interrupts "
            f"{own.name} did not interrupt {program} and took {_each(total_ns // count)}; the {own.count:,} "
            f"that did took {_each(own.mean_ns)}: {_product(own.mean_ns, own.per_s)}."
        )
    more_ns = cost_ns - own.mean_ns
    if more_ns > 0:
        why.append(
            f"By the shelves a tick takes {amount(more_ns, 'ns', digits=2)} more than lies between its two "
            "events. The entry into the interrupt and the exit from it lie outside of them, and so does work "
            "that is slower after it; which of these it was is not recorded."
        )
    elif more_ns < 0:
        why.append(
            f"By the shelves a tick takes {amount(-more_ns, 'ns', digits=2)} less than the mean of those "
            "that interrupted the program: quanta with a longer tick lie below the shelf."
        )
    why.append("How much of a tick is the cost of tracing it is not known: count once without a trace.")
    return TickShares(cost_ns, per_s, own, by_trace, why)


def _product(cost_ns: int, per_s: float) -> str:
    share = cost_ns * per_s / _NS_PER_S
    return f"{amount(cost_ns, 'ns', digits=3)} × {per_s:.0f} Hz = {100 * share:.3g} %"


def _each(duration_ns: int) -> str:
    return f"{amount(duration_ns, 'ns', digits=3)} each"
