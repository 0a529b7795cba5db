"""The class that pages of several traces open with."""

import pytest

from jitterscope.explore.compare.measured_class import measured_classes
from jitterscope.store.task_sums import ClassSums

_REAL_TIME, _FAIR = 1, 2


def _sums(kind: str, trace: int, **most: int) -> list[ClassSums]:
    places = {"deadline": 0, "real_time": _REAL_TIME, "fair": _FAIR, "unknown": None}
    return [ClassSums(kind, trace, places[name], count, has_program=False) for name, count in most.items()]


def _program(kind: str, trace: int, place: int) -> ClassSums:
    return ClassSums(kind, trace, place, most=3, has_program=True)


@pytest.mark.parametrize(
    ("sums", "wanted"),
    [
        # A shell's sleeps beside cyclictest's.
        (
            _sums("cyclic", 1, real_time=1000, fair=30) + _sums("cyclic", 2, real_time=1000),
            {"cyclic": "real_time"},
        ),
        # Who is measured is known by timers, and the wakeups are those of the same class.
        (
            _sums("cyclic", 1, real_time=20, unknown=1) + _sums("wakeup", 1, real_time=90, fair=9),
            {"cyclic": "real_time", "wakeup": "real_time"},
        ),
        # Fewer sleeps are no period.
        (_sums("cyclic", 1, real_time=19, fair=30), {}),
        # Without timers, the wakeups of a program that measures are what is left of its lateness.
        ([_program("wakeup", 1, _REAL_TIME), *_sums("wakeup", 1, fair=900)], {"wakeup": "real_time"}),
        ([*_sums("wakeup", 1, real_time=900), _program("wakeup", 1, _FAIR)], {}),
        # Threads of the kernel are woken for anything.
        (_sums("wakeup", 1, real_time=900, fair=900), {}),
        # One of the traces measures something else.
        (_sums("cyclic", 1, real_time=1000, fair=30) + _sums("cyclic", 2, fair=1000), {}),
        (_sums("cyclic", 1, real_time=1000, fair=30) + _sums("cyclic", 2, deadline=1000), {}),
        (_sums("cyclic", 1, real_time=1000, deadline=1000, fair=1), {}),
        # There is nothing to leave out.
        (_sums("cyclic", 1, real_time=1000) + _sums("cyclic", 2, real_time=1000), {}),
    ],
)
def test_a_class_is_shared_by_all_traces_or_not_named(sums: list[ClassSums], wanted: dict[str, str]) -> None:
    assert measured_classes(sums, frozenset({"cyclic"})) == wanted
