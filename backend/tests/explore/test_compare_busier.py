"""A busier machine that is faster is explained, and nothing else is."""

import pytest

from jitterscope.explore.compare.busier import Side, faster_though_busier
from jitterscope.statistics.resampling import Difference, Interval

REAL = Difference(Interval(-30_000, -10_000), is_real=True, p_value=0.01)
WITHIN_RUNS = Difference(Interval(-30_000, -10_000), is_real=None, p_value=None)
CHANCE = Difference(Interval(-30_000, 10_000), is_real=False, p_value=0.4)


def _side(name: str, p50_ns: int, **shares: float) -> Side:
    return Side(
        name, {"p50_ns": p50_ns, "mean_ns": p50_ns}, {int(cpu[3:]): one for cpu, one in shares.items()}
    )


IDLE = _side("idle", 80_000, cpu0=0.3, cpu1=0.04)
LOADED = _side("loaded", 60_000, cpu0=0.3, cpu1=0.9)


@pytest.mark.parametrize("sides", [(IDLE, LOADED), (LOADED, IDLE)])
@pytest.mark.parametrize("difference", [REAL, WITHIN_RUNS])
def test_whichever_side_it_is(sides: tuple[Side, Side], difference: Difference) -> None:
    told = faster_though_busier("cyclic", sides, {"p50_ns": difference}, [1])
    assert told is not None
    assert told.startswith(
        "loaded is faster although it is busier: tasks ran on CPU 1 90 % of the time, and 4 % in idle. A "
    )


@pytest.mark.parametrize(
    ("kind", "sides", "difference", "cpus"),
    [
        ("irq", (IDLE, LOADED), REAL, [1]),
        ("cyclic", (IDLE, LOADED), CHANCE, [1]),
        ("cyclic", (IDLE, _side("loaded", 90_000, cpu1=0.9)), REAL, [1]),
        ("cyclic", (IDLE, LOADED), REAL, [0]),
        ("cyclic", (IDLE, LOADED), REAL, []),
        ("cyclic", (IDLE, _side("unknown", 60_000)), REAL, [1]),
    ],
    ids=["no wakeup", "by chance", "slower", "another CPU", "not every CPU", "not recorded"],
)
def test_nothing_else_is_explained_by_it(
    kind: str, sides: tuple[Side, Side], difference: Difference, cpus: list[int]
) -> None:
    assert faster_though_busier(kind, sides, {"p50_ns": difference}, cpus) is None
