"""Isolated and housekeeping CPUs: what took either, before and after."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from jitterscope.explore.compare.causes import Cause, causes
from jitterscope.explore.compare.recorded import Recorded
from jitterscope.store.cause_sums import TickSum
from jitterscope.store.summaries import Interference

CpuClass = Literal["isolated", "housekeeping"]
CLASSES: tuple[CpuClass, CpuClass] = ("isolated", "housekeeping")

# nohz,domain,1-3,7
_CPUS = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?")
# BOOT_IMAGE=/boot/vmlinuz isolcpus=nohz,domain,1-3 nohz_full=1-3
_OPTIONS = re.compile(r"(?:^|\s)(?:isolcpus|nohz_full)=(\S+)")
# The threads of a CPU have its number in their names: ksoftirqd/1, kworker/1:2.
_OWN_CPU = re.compile(r"/([0-9]+)(?=$|:)")


@dataclass(frozen=True)
class Classes:
    """CPUs by class, and what took them; of `causes`, one list for each variant but the first."""

    cpus: Mapping[CpuClass, Sequence[int]]
    causes: Sequence[Sequence[tuple[CpuClass, Cause]]]


def classes_of(variants: Sequence[Recorded]) -> Classes | None:
    """None where no trace states which CPUs are isolated.

    A CPU that one trace calls isolated is so in all variants: in the others it is what it was before.
    """
    texts = {text for recorded in variants for text in recorded.isolated.values()}
    ranges = {one for text in texts for one in cpu_ranges(text)}
    every = frozenset(cpu for recorded in variants for cpus in recorded.cpus.values() for cpu in cpus)
    isolated = frozenset(cpu for cpu in every if any(low <= cpu <= high for low, high in ranges))
    if not isolated:
        return None
    members: dict[CpuClass, frozenset[int]] = {"isolated": isolated, "housekeeping": every - isolated}
    found: list[list[tuple[CpuClass, Cause]]] = []
    for after in variants[1:]:
        rows = [
            (name, cause)
            for name, cpus in members.items()
            for cause in causes(
                _within(variants[0], cpus), _within(after, cpus), frozenset(), (variants[0], after)
            )
        ]
        found.append(sorted(rows, key=lambda row: -abs(row[1].after.share - row[1].before.share)))
    return Classes({name: sorted(cpus) for name, cpus in members.items()}, found)


def cpu_ranges(text: str) -> list[tuple[int, int]]:
    """First and last CPUs of a list as `isolcpus=` takes it, or of a command line that has such options.

    Anything else in it names no CPU.
    """
    lists = _OPTIONS.findall(text) if "=" in text else [text]
    found = (_CPUS.fullmatch(part.strip()) for part in ",".join(lists).split(","))
    return [(int(one[1]), int(one[2] or one[1])) for one in found if one is not None]


def _within(recorded: Recorded, cpus: frozenset[int]) -> Recorded:
    """The same as if these CPUs were one, which lasts as long as all of them together."""
    durations = dict.fromkeys(recorded.durations, 0)
    for cpu in cpus:
        for key, recorded_ns in recorded.recorded_ns(cpu).items():
            durations[key] += recorded_ns if cpu in recorded.cpus.get(key, ()) else 0
    return replace(
        recorded,
        durations=durations,
        lost_ns={},
        interference=[_as_one(row) for row in recorded.interference if row.cpu in cpus],
        ticks=list(_ticks(recorded.ticks, cpus)),
    )


def _as_one(row: Interference) -> Interference:
    name = row.name
    if name is not None:
        name = _OWN_CPU.sub(lambda found: "/N" if int(found[1]) == row.cpu else found[0], name)
    return replace(row, cpu=0, name=name)


def _ticks(ticks: Iterable[TickSum], cpus: frozenset[int]) -> Iterable[TickSum]:
    return (replace(tick, cpu=0) for tick in ticks if tick.cpu in cpus)
