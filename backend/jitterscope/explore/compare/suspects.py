"""What interrupted the program that counts its work: how often, and what it cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.statistics.histogram import Histogram, merge
from jitterscope.store.cause_sums import ticks_of
from jitterscope.store.summaries import interference_of, summaries_by_group
from jitterscope.store.taken_from import TakenFrom, taken_from

_NS_PER_S = 1_000_000_000
# An interrupt counts as the tick where at least this part of its runs on the CPU were ticks.
_MOST = 0.9


@dataclass(frozen=True)
class Suspect:
    """One cause on the CPU of the program, while it ran.

    `usual_ns` is the median of ticks, and the mean of all else. `others` are the count and the time of its
    runs on that CPU that did not interrupt the program.
    """

    cause: str
    name: str | None
    count: int
    per_s: float
    mean_ns: int
    usual_ns: int
    is_tick: bool
    others: tuple[int, int]

    @property
    def share(self) -> float:
        """Of the time for which the program ran."""
        return self.mean_ns * self.per_s / _NS_PER_S

    def called(self) -> str:
        """As a sentence names it."""
        if self.is_tick:
            return f"the tick (interrupt {self.name})"
        names = {"irq": f"the interrupt {self.name}", "softirq": f"the softirq {self.name}"}
        return names.get(self.cause, self.name or "a task")


@dataclass(frozen=True)
class Suspects:
    """Of all traces of a variant that recorded the program; `taken_ns` is all that was recorded."""

    cpus: Sequence[int]
    ran_ns: int
    taken_ns: int
    suspects: Sequence[Suspect]


async def find_suspects(session: AsyncSession, keys: Sequence[int], comms: Sequence[str]) -> Suspects | None:
    """None where no trace recorded that the program ran."""
    rows = await taken_from(session, keys, comms)
    cpu_of, ran_ns = _places(rows, comms)
    if not cpu_of:
        return None
    sums: dict[tuple[str, str | None], list[int]] = defaultdict(lambda: [0, 0])
    taken_ns = 0
    for row in rows:
        if row.cpu != cpu_of.get(row.trace_key) or (row.cause == "sched" and row.name in comms):
            continue
        if row.cause == "sched" and row.is_victim:
            taken_ns += row.total_ns
            continue
        entry = sums[row.cause, row.name]
        entry[0] += row.count
        entry[1] += row.total_ns
    alls: dict[tuple[str, str | None], list[int]] = defaultdict(lambda: [0, 0])
    for taken in await interference_of(session, list(cpu_of), None):
        if taken.cpu == cpu_of[taken.trace_key]:
            entry = alls[taken.cause, taken.name]
            entry[0] += taken.count
            entry[1] += taken.total_ns
    ticks = [tick for tick in await ticks_of(session, list(cpu_of)) if tick.cpu == cpu_of[tick.trace_key]]
    ticking = sum(tick.count for tick in ticks), await _usual_tick_ns(session, cpu_of)
    found = [_suspect(key, own, alls[key], ticking, ran_ns) for key, own in sums.items() if own[0] > 0]
    found.sort(key=lambda one: (-one.share, one.cause, one.name or ""))
    return Suspects(sorted(set(cpu_of.values())), ran_ns, taken_ns, found)


def _places(rows: Iterable[TakenFrom], comms: Sequence[str]) -> tuple[dict[int, int], int]:
    """By trace, the CPU on which the program ran longest; and how long that is in all."""
    ran: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for row in rows:
        if row.cause == "sched" and (row.is_victim or row.name in comms):
            ran[row.trace_key][row.cpu] += row.total_ns
    cpu_of = {key: max(cpus, key=lambda cpu: (cpus[cpu], -cpu)) for key, cpus in ran.items()}
    return cpu_of, sum(ran[key][cpu] for key, cpu in cpu_of.items())


async def _usual_tick_ns(session: AsyncSession, cpu_of: Mapping[int, int]) -> int | None:
    """The median of the ticks on the CPUs of the program; a few that took a millisecond do not count."""
    names = [str(cpu) for cpu in sorted(set(cpu_of.values()))]
    parts = [
        Histogram.of(one.values_ns, one.value_counts, is_exact=one.is_exact)
        for name, one in await summaries_by_group(session, list(cpu_of), "tick", "cpu", names)
        if name == str(cpu_of[one.trace_key])
    ]
    return merge(parts).quantile(Fraction(1, 2)) if parts else None


def _suspect(
    key: tuple[str, str | None],
    own: Sequence[int],
    on_cpu: Sequence[int],
    ticks: tuple[int, int | None],
    ran_ns: int,
) -> Suspect:
    """`ticks` are how many there were on the CPU, and what they usually take."""
    count, total_ns = own
    mean_ns = round(total_ns / count)
    tick_count, usual_tick_ns = ticks
    is_tick = key[0] == "irq" and "timer" in (key[1] or "") and tick_count >= _MOST * on_cpu[0]
    usual_ns = usual_tick_ns if is_tick and usual_tick_ns is not None else mean_ns
    others = max(on_cpu[0] - count, 0), max(on_cpu[1] - total_ns, 0)
    per_s = count * _NS_PER_S / ran_ns if ran_ns else 0.0
    return Suspect(key[0], key[1], count, per_s, mean_ns, usual_ns, is_tick, others)
