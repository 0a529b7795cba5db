"""Which class of tasks traces were recorded to look at: where all agree, pages keep to it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from jitterscope import _ftrace
from jitterscope.store.task_sums import CLASSES, ClassSums

_MEASURING = json.loads(_ftrace.catalog())["measuring"]
# Programs, and threads of tracers, that sleep in order to measure how late they wake.
PROGRAMS: tuple[str, ...] = tuple(_MEASURING["programs"])
# As many sleeps make a period.
_PERIODIC_SAMPLES: int = _MEASURING["periodic_samples"]
_FAIR = CLASSES.index("fair")


def measured_classes(sums: Sequence[ClassSums], measuring: frozenset[str]) -> dict[str, str]:
    """By kind, the one class whose tasks every trace with samples of that kind measures.

    Those are deadline or real-time tasks that sleep by the clock, as the kinds in `measuring` tell, and those
    of `PROGRAMS`, whose wakeups are what is left where their timers are not recorded. Kinds are left out of
    which some trace measures no class or two, and those of which all samples are of the class.
    """
    measured: dict[int, set[int]] = {}
    for one in sums:
        is_periodic = one.kind in measuring and one.most >= _PERIODIC_SAMPLES
        if (is_periodic or one.has_program) and one.place is not None and one.place != _FAIR:
            measured.setdefault(one.trace_key, set()).add(one.place)
    places: dict[str, dict[int, set[int | None]]] = {}
    for one in sums:
        places.setdefault(one.kind, {}).setdefault(one.trace_key, set()).add(one.place)
    found = {kind: _shared(own, measured) for kind, own in places.items()}
    return {kind: CLASSES[place] for kind, place in found.items() if place is not None}


def _shared(own: Mapping[int, set[int | None]], measured: Mapping[int, set[int]]) -> int | None:
    classes = set().union(*(measured.get(key, set()) for key in own))
    if len(classes) != 1:
        return None
    (place,) = classes
    is_of_all = all(key in measured and place in found for key, found in own.items())
    has_others = any(found != {place} for found in own.values())
    return place if is_of_all and has_others else None
