"""Which recorded causes make a shelf: those whose cost and rate both fit, and none for being the nearest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from jitterscope.explore.compare.suspects import Suspect

_NS_PER_S = 1_000_000_000
# The causes that take the most time of those that come often enough; each set of them is tried.
_MOST_TRIED = 6
# Rates are counted on other clocks and over other times than quanta.
_RATE_TOLERANCE = 0.05
_SIGMAS = 3
# The events of an interrupt lie within it. What is between them is at least this part of what it takes.
_LEAST_RECORDED = 0.5


@dataclass(frozen=True)
class Step:
    """How far a shelf lies below another.

    `share` of all quanta are on the shelf, and `at_most` not above it. The distance is known to
    `resolution_ns`.
    """

    distance_ns: float
    resolution_ns: float
    share: float
    at_most: float
    quanta: int
    quantum_ns: int


def reasons(step: Step, suspects: Sequence[Suspect]) -> list[tuple[Suspect, ...]]:
    """The sets of causes that fit together. If there are several, none is proven.

    Of nested sets only the largest: what comes as often comes in the same quanta.
    """
    in_time = sorted((one for one in suspects if _comes(step, one)), key=lambda one: -one.share)
    fitting = [
        frozenset(chosen)
        for size in range(len(in_time[:_MOST_TRIED]), 0, -1)
        for chosen in combinations(in_time[:_MOST_TRIED], size)
        if _costs(step, chosen)
    ]
    largest = [one for one in fitting if not any(one < other for other in fitting)]
    return [tuple(sorted(one, key=lambda cause: -cause.share)) for one in largest]


def times(suspect: Suspect, quantum_ns: int) -> int:
    """How often it comes in a quantum that it comes in."""
    return max(1, round(suspect.per_s * quantum_ns / _NS_PER_S))


def _comes(step: Step, suspect: Suspect) -> bool:
    """Whether it comes in as many quanta as lie on the shelf, or in some of those below, too."""
    share = min(1.0, suspect.per_s * step.quantum_ns / _NS_PER_S)
    error = _SIGMAS * math.sqrt(share * (1 - share) / step.quanta) + _RATE_TOLERANCE * share
    return step.share - error <= share <= step.at_most + error


def _costs(step: Step, chosen: Sequence[Suspect]) -> bool:
    """Whether the distance is what they usually cost, of which at most half is not recorded."""
    usual_ns = sum(times(one, step.quantum_ns) * one.usual_ns for one in chosen)
    most_ns = usual_ns / _LEAST_RECORDED + step.resolution_ns
    return usual_ns - step.resolution_ns <= step.distance_ns <= most_ns
