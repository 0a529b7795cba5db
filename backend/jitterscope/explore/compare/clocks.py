"""What the clocks of recordings count: durations of unlike ones cannot be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from jitterscope.explore.compare.words import counted, listed
from jitterscope.store.models import Trace


@dataclass(frozen=True)
class Scale:
    """Nanoseconds, or ticks of unknown length: of the clock of this name, or of one that no file names."""

    unit: str = "ns"
    clock: str | None = None

    @classmethod
    def of(cls, traces: Sequence[Trace]) -> Scale:
        """That of most of them; where two are of as many, that of the first trace."""
        units = Counter(_unit(trace) for trace in traces).most_common(1)
        unit = units[0][0] if units else "ns"
        clocks = Counter(trace.clock for trace in traces if trace.clock and _unit(trace) == unit)
        return cls(unit, clocks.most_common(1)[0][0] if clocks and unit == "ticks" else None)

    def holds(self, trace: Trace) -> bool:
        """A file that does not name its clock may have that of the others."""
        if _unit(trace) != self.unit:
            return False
        return self.unit == "ns" or None in (self.clock, trace.clock) or self.clock == trace.clock

    def __str__(self) -> str:
        if self.unit == "ns":
            return "nanoseconds"
        return "ticks of a clock without a name" if self.clock is None else f"ticks of the clock {self.clock}"


NANOSECONDS = Scale()


def left_out(name: str, traces: Sequence[Trace], total: int, scale: Scale) -> str:
    """The sentence on these traces of a variant, which count something else than the scale."""
    others = " and ".join(dict.fromkeys(str(Scale.of([trace])) for trace in traces))
    verbs = ("counts", "is") if len(traces) == 1 else ("count", "are")
    return (
        f"{name}: {len(traces):,} of {counted(total, 'trace')} {verbs[0]} {others} instead of {scale} and "
        f"{verbs[1]} left out ({listed(trace.name for trace in traces)}): compare recordings with the same "
        "trace clock."
    )


def _unit(trace: Trace) -> str:
    return trace.time_unit or "ns"
