"""Isolated and housekeeping CPUs: which they are, and what took either."""

import pytest

from jitterscope.explore.compare.cpu_classes import classes_of, cpu_ranges
from jitterscope.explore.compare.recorded import Recorded
from jitterscope.store.cause_sums import TickSum
from jitterscope.store.summaries import Interference

SECOND = 1_000_000_000


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("1", [(1, 1)]),
        ("nohz,domain,1-3,7", [(1, 3), (7, 7)]),
        ("root=/dev/vda isolcpus=nohz,2-3 quiet nohz_full=1", [(2, 3), (1, 1)]),
        ("root=/dev/vda mitigations=off maxcpus=1", []),
        ("yes", []),
        ("", []),
        ("-1,a-b,1-,99999999", []),
    ],
)
def test_lists_of_cpus_are_read_as_the_kernel_takes_them(text: str, ranges: list[tuple[int, int]]) -> None:
    assert cpu_ranges(text) == ranges


def _recorded(runs: dict[tuple[int, str], int], isolated: str = "") -> Recorded:
    """Five traces of a second of four CPUs, on which tasks ran so often for 10 µs."""
    keys = range(1, 6)
    rows = [
        Interference(key, cpu, "sched", name, count + key, (count + key) * 10_000, 10_000 + key)
        for (cpu, name), count in runs.items()
        for key in keys
    ]
    ticks = [
        TickSum(key, 0, is_handler_known=True, count=100, total_ns=10, max_ns=1, span_ns=9) for key in keys
    ]
    return Recorded(
        dict.fromkeys(keys, SECOND),
        rows,
        ticks,
        [],
        cpus=dict.fromkeys(keys, range(4)),
        isolated=dict.fromkeys(keys, isolated),
    )


def test_threads_of_the_cpus_of_a_class_are_one() -> None:
    before = _recorded({(2, "ksoftirqd/2"): 300, (3, "ksoftirqd/3"): 100, (0, "ksoftirqd/0"): 50})
    after = _recorded({(0, "ksoftirqd/0"): 90, (1, "kworker/2:1"): 10}, isolated="2-3")
    classes = classes_of([before, after])
    assert classes is not None
    assert classes.cpus == {"isolated": [2, 3], "housekeeping": [0, 1]}
    [found] = classes.causes
    named = {(name, cause.name): cause for name, cause in found if cause.cause == "sched"}
    gone = named["isolated", "ksoftirqd/N"]
    # 1,500 + 500 runs, and the numbers of the traces, in ten seconds of these two CPUs.
    assert (gone.before.per_s, gone.after.per_s) == (203.0, 0.0)
    assert (gone.before.share, gone.before.mean_ns, gone.before.max_ns) == (0.00203, 10_000, 10_005)
    assert gone.is_real
    assert gone.interval is not None
    assert gone.interval[0] <= -gone.before.share <= gone.interval[1] < 0
    # The number of another CPU stays: it is a thread that does not belong here.
    assert set(named) == {
        ("isolated", "ksoftirqd/N"),
        ("housekeeping", "ksoftirqd/N"),
        ("housekeeping", "kworker/2:1"),
    }
    assert found[0][1] == gone


def test_nobody_says_what_is_isolated() -> None:
    assert classes_of([_recorded({}), _recorded({}, isolated="7")]) is None
