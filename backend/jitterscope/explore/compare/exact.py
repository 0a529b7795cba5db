"""Quantiles from the samples themselves, where sums know them only to a 512th of their value.

The sums still say in which cell a quantile lies, and how many samples lie below it. So of each trace only the
values in those few cells are read; they are asked for trace by trace, which takes a while.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from jitterscope.explore.compare.card import QUANTILES
from jitterscope.explore.compare.members import Member, Members
from jitterscope.explore.compare.read_members import read_members
from jitterscope.explore.compare.request import CompareRequest
from jitterscope.explore.driver import Parameters, ask
from jitterscope.problems import Conflict
from jitterscope.statistics.histogram import Histogram, cell_starts, cell_width, merge
from jitterscope.store.database import Database

_Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Progress:
    """How many of the traces that have to be read were."""

    done: int
    total: int


@dataclass(frozen=True)
class ExactNumbers:
    """The quantiles of a variant by their names in a card; none without samples."""

    variant: str
    numbers: dict[str, int]


async def exact_quantiles(
    database: Database, request: CompareRequest
) -> AsyncGenerator[Progress | Sequence[ExactNumbers]]:
    """The progress after each trace, and in the end what all variants have.

    Raises: NotFound, InvalidParameter; Conflict where a trace has changed meanwhile.
    """
    found = await read_members(database, request)
    searches = [_Search(members) for members in found]
    total = sum(len(search.unknown) for search in searches)
    done = 0
    yield Progress(done, total)
    for search in searches:
        for member in search.unknown:
            answer = await ask(
                database, "latency_values", _parameters(request, search), trace_id=member.trace.id
            )
            values = json.loads(answer)
            search.add(np.array(values["values"], np.int64), np.array(values["counts"], np.int64))
            done += 1
            yield Progress(done, total)
    yield [ExactNumbers(search.variant, search.numbers()) for search in searches]


def _parameters(request: CompareRequest, search: _Search) -> Parameters:
    ranges = ",".join(f"{cell.first}..{cell.end}" for cell in search.cells())
    return request.filters() | {"ranges": ranges}


@dataclass(frozen=True)
class _Cell:
    """Where a quantile lies: it is the sample of this rank, from 1, of the `count` from `first` to `end`."""

    first: int
    end: int
    rank: int
    count: int


@dataclass
class _Search:
    """The quantiles of a variant; `unknown` are the traces whose values are known to a cell only."""

    members: Members
    unknown: list[Member] = field(init=False)
    _wanted: dict[str, _Cell] = field(init=False)
    _parts: list[tuple[_Ints, _Ints]] = field(init=False)

    def __post_init__(self) -> None:
        members = self.members.members
        self._wanted = _cells([member.histogram for member in members])
        self.unknown = [member for member in members if not member.histogram.is_exact]
        known = [member.histogram for member in members if member.histogram.is_exact]
        self._parts = [(histogram.values, histogram.counts) for histogram in known]

    @property
    def variant(self) -> str:
        return self.members.variant.name

    def cells(self) -> list[_Cell]:
        """Each cell once: two quantiles may lie in one."""
        return list({cell.first: cell for cell in self._wanted.values()}.values())

    def add(self, values: _Ints, counts: _Ints) -> None:
        """What a trace has in the cells."""
        self._parts.append((values, counts))

    def numbers(self) -> dict[str, int]:
        """Raises: Conflict where there are not as many samples as the sums say."""
        if not self._parts:
            return {}
        every = merge([Histogram(values, counts, is_exact=True) for values, counts in self._parts])
        return {name: _ranked(every, cell) for name, cell in self._wanted.items()}


def _cells(histograms: Sequence[Histogram]) -> dict[str, _Cell]:
    if not histograms:
        return {}
    coarse = merge([Histogram(cell_starts(one.values), one.counts, is_exact=False) for one in histograms])
    sums = np.cumsum(coarse.counts)
    found = {}
    for name, share in QUANTILES.items():
        rank = coarse.rank(share)
        at = int(np.searchsorted(sums, rank))
        first, count = int(coarse.values[at]), int(coarse.counts[at])
        found[name] = _Cell(first, first + cell_width(first), rank - int(sums[at]) + count, count)
    return found


def _ranked(every: Histogram, cell: _Cell) -> int:
    inside = slice(*np.searchsorted(every.values, [cell.first, cell.end]))
    sums = np.cumsum(every.counts[inside])
    if len(sums) == 0 or sums[-1] != cell.count:
        raise Conflict("A trace was loaded again meanwhile; compare once more.")
    return int(every.values[inside][np.searchsorted(sums, cell.rank)])
