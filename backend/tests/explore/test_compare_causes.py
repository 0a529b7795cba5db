"""Which causes of a difference are named: proven ones, or none."""

import numpy as np
import pytest

from jitterscope.explore.compare.causes import Cause, causes
from jitterscope.explore.compare.proven import clause, proven
from jitterscope.explore.compare.recorded import Recorded
from jitterscope.explore.compare.ticks import tick_costs
from jitterscope.store.cause_sums import Taken, TickSum
from jitterscope.store.summaries import Interference

SECOND = 1_000_000_000
CPUS = frozenset({1})


def _recorded(
    runs_per_s: dict[str, int],
    taken_us: dict[str, int],
    *,
    ticks_per_s: int = 0,
    traces: int = 5,
    cpu: int = 1,
) -> Recorded:
    """Traces of a second each, with tasks that run for 10 µs, and what they took of samples."""
    keys = range(1, traces + 1)
    rows = [Interference(key, cpu, "sched", "measured", 1000, 100_000_000, 200_000) for key in keys]
    rows += [
        Interference(key, cpu, "sched", name, count + key, (count + key) * 10_000, 30_000)
        for name, count in runs_per_s.items()
        for key in keys
        if count
    ]
    ticks = [
        TickSum(key, on, True, count, count * 15_700, 20_000, SECOND)  # noqa: FBT003
        for key in keys
        for on, count in ((0, 100), (cpu, ticks_per_s))
        if count
    ]
    taken = [
        Taken(key, "irq" if "timer" in name else "task", name, microseconds * 1000)
        for name, microseconds in taken_us.items()
        for key in keys
    ]
    return Recorded(dict.fromkeys(keys, SECOND), rows, ticks, taken)


def _named(before: Recorded, after: Recorded, *, is_less: bool = True) -> list[tuple[str, str | None]]:
    found = proven(causes(before, after, CPUS), (before, after), CPUS, is_less=is_less)
    return [(cause.cause, cause.name) for cause in found]


def _told(before: Recorded, after: Recorded) -> str:
    found = proven(causes(before, after, CPUS), (before, after), CPUS, is_less=True)
    return clause(found, (before, after), is_less=True)


def test_what_took_time_of_samples_and_left_is_named() -> None:
    before = _recorded({"ksoftirqd/1": 300, "bash": 900}, {"ksoftirqd/1": 400})
    after = _recorded({"bash": 100}, {})
    assert _named(before, after) == [("sched", "ksoftirqd/1")]
    told = _told(before, after)
    assert told == (
        "Largest part: ksoftirqd/1 no longer ran on CPU 1 (303 times a second before, 10 µs each)."
    )


def test_the_largest_part_is_that_of_samples_not_of_the_cpu() -> None:
    before = _recorded({"seldom": 100, "often": 900}, {"seldom": 400, "often": 50})
    after = _recorded({}, {})
    assert _told(before, after) == (
        "Largest part: seldom no longer ran on CPU 1 (103 times a second before, 10 µs each). "
        "Also less: often no longer ran on CPU 1 (903 times a second before, 10 µs each)."
    )


def test_no_part_is_the_largest_where_something_unproven_fell_more() -> None:
    before = _recorded({"hog": 300}, {"hog": 400, "unseen": 900})
    after = _recorded({}, {})
    assert _told(before, after).startswith("Less interference: hog no longer ran")


def test_what_changed_the_other_way_is_not() -> None:
    before = _recorded({"hog": 300}, {"hog": 400})
    after = _recorded({}, {})
    assert _named(before, after, is_less=False) == []
    assert _named(after, before, is_less=False) == [("sched", "hog")]
    assert clause([], (before, after), is_less=True) == ""


def test_too_few_traces_prove_nothing() -> None:
    before, after = (_recorded({"hog": runs}, {"hog": runs}, traces=4) for runs in (300, 0))
    [hog] = [cause for cause in causes(before, after, CPUS) if cause.name == "hog"]
    assert hog.is_real is None
    assert _named(before, after) == []


def test_other_cpus_are_not_the_measured_tasks() -> None:
    before, after = (_recorded({"hog": runs}, {"hog": runs}, cpu=3) for runs in (300, 0))
    assert _named(before, after) == []


def test_what_was_not_recorded_afterwards_did_not_stop() -> None:
    before = _recorded({}, {"local_timer": 900}, ticks_per_s=1000)
    silent = Recorded(dict.fromkeys(range(1, 6), SECOND), _recorded({}, {}).interference, [], [])
    assert _named(before, silent) == []
    stopped = _recorded({}, {"local_timer": 300})
    assert _named(before, stopped) == [("tick", None)]


def _timer(count: int) -> list[Interference]:
    return [
        Interference(key, on, "irq", "local_timer", count, count * 16_000, 20_000)
        for key in range(1, 6)
        for on in (0, 1)
        if count
    ]


def test_the_tick_is_told_once() -> None:
    before, after = _recorded({}, {"local_timer": 900}, ticks_per_s=1000), _recorded({}, {"local_timer": 300})
    before = Recorded(before.durations, [*before.interference, *_timer(1000)], before.ticks, before.taken)
    after = Recorded(after.durations, [*after.interference, *_timer(5)], after.ticks, after.taken)
    timer: list[Cause] = [one for one in causes(before, after, CPUS) if one.name == "local_timer"]
    assert all(one.is_real for one in timer)
    assert _named(before, after) == [("tick", None)]


def _softirqs(recorded: Recorded, runs_per_s: dict[str, int]) -> Recorded:
    """The same, with softirqs that take samples more time than any task does."""
    keys = list(recorded.durations)
    rows = [
        Interference(key, 1, "softirq", name, count + key, (count + key) * 10_000, 30_000)
        for name, count in {"RCU": 5, **runs_per_s}.items()
        for key in keys
    ]
    taken = [
        Taken(key, "softirq", name, count * 20_000) for name, count in runs_per_s.items() for key in keys
    ]
    interference, took = [*recorded.interference, *rows], [*recorded.taken, *taken]
    return Recorded(recorded.durations, interference, recorded.ticks, took)


def test_interrupts_hide_no_tasks() -> None:
    tasks = {f"task/{number}": 100 * number for number in range(1, 5)}
    softirqs = {"TIMER": 900, "SCHED": 800, "HRTIMER": 700}
    before = _softirqs(_recorded(tasks, tasks), softirqs)
    assert _named(before, _softirqs(_recorded({}, {}), {})) == [
        ("softirq", "TIMER"),
        ("softirq", "SCHED"),
        ("sched", "task/4"),
        ("sched", "task/3"),
        ("sched", "task/2"),
    ]


def test_many_causes_of_many_traces_take_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The traces are dealt to two sides once, and not once for each cause."""
    dealt = 0
    permuted = np.random.default_rng

    def counted(seed: list[int]) -> np.random.Generator:
        nonlocal dealt
        dealt += 1
        return permuted(seed)

    monkeypatch.setattr("jitterscope.statistics.resampling.np.random.default_rng", counted)
    many = {f"task{number}": 10 + number for number in range(60)}
    before, after = _recorded(many, {}, traces=31), _recorded({}, {}, traces=32)
    assert sum(cause.is_real is True for cause in causes(before, after, CPUS)) == 60
    # The deals, and the draws of either side.
    assert dealt == 3


def test_cost_times_rate_is_the_share_of_the_tick() -> None:
    [_, tick] = tick_costs(_recorded({}, {}, ticks_per_s=1001, traces=1))
    assert (tick.mean_ns, tick.hz) == (15_700, 1000.0)
    assert tick.product() == "15.7 µs × 1000 Hz = 1.57 % of CPU 1"


def test_the_share_of_the_tick_is_the_one_of_the_table_of_causes() -> None:
    """999 ticks from 0.5 ms on: their sum over the recorded second, not over the time between them."""
    ticks = [TickSum(1, 1, True, 999, 999 * 15_670, 20_000, 998 * 1_001_001)]  # noqa: FBT003
    variant = Recorded({1: SECOND}, [], ticks, [])
    [tick] = tick_costs(variant)
    [cause] = [one for one in causes(variant, variant, CPUS) if one.cause == "tick"]
    assert tick.share == cause.before.share
    assert tick.product() == "15.7 µs × 999 Hz = 1.57 % of CPU 1"


def test_a_tick_that_came_for_a_part_of_the_recording_says_so() -> None:
    ticks = [TickSum(1, 1, True, 501, 501 * 15_700, 20_000, SECOND // 2)]  # noqa: FBT003
    [tick] = tick_costs(Recorded({1: SECOND}, [], ticks, []))
    assert tick.product() == "15.7 µs × 1000 Hz = 1.57 % of CPU 1 from the first tick to the last"


def test_a_single_tick_has_no_rate_and_no_share() -> None:
    ticks = [TickSum(1, 1, True, 1, 15_700, 15_700, 0)]  # noqa: FBT003
    [tick] = tick_costs(Recorded({1: SECOND}, [], ticks, []))
    assert (tick.hz, tick.share) == (None, None)
    assert tick.product() == "once, 15.7 µs, on CPU 1"


def test_an_idle_cpu_has_the_rate_of_its_busy_time() -> None:
    """25 ticks in a second, of which tasks ran 100 ms."""
    [_, tick] = tick_costs(_recorded({}, {}, ticks_per_s=26, traces=1))
    assert tick.per_s == 25
    assert tick.hz == 260
    assert "of the time that tasks ran on CPU 1" in tick.product()
