"""Shelves of counts of work per quantum: what makes them, or no record of it."""

from typing import Any

import numpy as np
import pytest

from jitterscope.schemas.shelves import ShelvesAnswer, VariantShelves
from tests.api.recordings import wakeups
from tests.api.service import Service

_QUANTA = 1_000
# The units of work that fit into a quantum of 1 ms; a tick takes fifteen of them.
_TOP = 1_094


def _counts(seed: int, lost: dict[int, int], *, quantum_us: int = 1_000) -> bytes:
    """Counts; `lost` says how many of the thousand quanta lack how many units."""
    random = np.random.default_rng(seed)
    losses = np.zeros(_QUANTA, np.int64)
    losses[: sum(lost.values())] = np.repeat(list(lost), list(lost.values()))
    counts = _TOP - random.permutation(losses) - (random.random(_QUANTA) < 0.3)
    lines = [f"# ftq cpu=1 quantum_ns={quantum_us * 1_000} n={_QUANTA} work=64 clock=CLOCK_MONOTONIC"]
    start_ns = 5_000_000_000 + seed
    lines += [f"{at}\t{start_ns + at * quantum_us * 1_000}\t{count}" for at, count in enumerate(counts)]
    return ("\n".join(lines) + "\n").encode()


def _switch(at: str, before: tuple[str, int], after: tuple[str, int]) -> str:
    (prev, prev_pid), (following, next_pid) = before, after
    task = f"{'<idle>' if prev_pid == 0 else prev}-{prev_pid}"
    return (
        f"{task} [001] d..2. {at}: sched_switch: prev_comm={prev} prev_pid={prev_pid} prev_prio=120 "
        f"prev_state=S ==> next_comm={following} next_pid={next_pid} next_prio=120"
    )


def _tick(task: str, cpu: int, at_us: int, cost_us: int) -> list[str]:
    head, timer = f"{task} [{cpu:03d}] d.h1. 5.", "hrtimer=00000000cef0b1d7"
    return [
        f"{head}{at_us:06d}: local_timer_entry: vector=236",
        f"{head}{at_us + 1:06d}: hrtimer_expire_entry: {timer} function=tick_nohz_handler now=1",
        f"{head}{at_us + cost_us - 1:06d}: hrtimer_expire_exit: {timer}",
        f"{head}{at_us + cost_us:06d}: local_timer_exit: vector=236",
    ]


def _trace(period_us: int, cost_us: int = 12) -> bytes:
    """A second of ftq on CPU 1 with ticks so far apart; CPU 0 has a tick in each millisecond anyway."""
    idle, ftq = ("swapper/1", 0), ("ftq", 68)
    found = [_switch("5.000000", idle, ftq)]
    for at_us in range(0, 1_000_000, 1_000):
        found += _tick("<idle>-0", 0, at_us + 100, 13)
        if at_us % period_us == 0:
            found += _tick("ftq-68", 1, at_us + 150, cost_us)
    found.append(_switch("6.000000", ftq, idle))
    return ("# tracer: nop\n#\n" + "\n".join(found) + "\n").encode()


def _asked(service: Service, variants: dict[str, list[bytes]], **measure: str) -> dict[str, Any]:
    listed = [
        {"name": name, "traces": [service.ready(content) for content in contents]}
        for name, contents in variants.items()
    ]
    return {"measure": measure or {"kind": "measured"}, "variants": listed}


def _shelves(service: Service, variants: dict[str, list[bytes]]) -> ShelvesAnswer:
    response = service.client.post("/api/v1/compare/shelves", json=_asked(service, variants))
    assert response.status_code == 200, response.text
    return ShelvesAnswer.model_validate_json(response.content)


def _places(one: VariantShelves) -> list[tuple[int, int, str]]:
    return [(shelf.high, round(100 * shelf.share), shelf.state) for shelf in one.shelves]


def test_each_shelf_has_its_cause_or_none(working_service: Service) -> None:
    answer = _shelves(
        working_service,
        {
            "hz1000": [_counts(1, {15: 1_000}), _trace(1_000)],
            "hz250": [_counts(2, {15: 250}), _trace(4_000)],
            "nohz": [_counts(3, {14: 850}), _trace(1_000_000)],
        },
    )
    often, seldom, never = answer.variants
    assert (answer.top, answer.top_variant, answer.notes) == (_TOP, "hz250", [])
    assert _places(often) == [(1_079, 100, "explained")]
    assert _places(seldom) == [(1_094, 75, "top"), (1_079, 25, "explained")]
    assert _places(never) == [(1_094, 15, "top"), (1_080, 85, "unexplained")]
    assert [often.shelves[0].below, often.shelves[0].below_ns] == [15, 13_711]
    [[cause]] = often.shelves[0].causes
    assert (cause.called, round(cause.per_s), cause.mean_ns) == (
        "the tick (interrupt local_timer)",
        1_000,
        12_000,
    )
    assert never.shelves[1].summary == "14 counts (12.8 µs) below 1,094: no record of what took it"
    assert never.tick is None
    assert often.tick is not None
    assert often.tick.product == "13.7 µs × 1000 Hz = 1.37 % by the shelves"
    assert often.tick.trace_product == "12 µs × 1000 Hz = 1.2 % of CPU 1"
    assert often.tick.why[0].startswith("By the shelves a tick takes 1.7 µs more than lies between its two")
    assert seldom.tick is not None
    assert round(seldom.tick.per_s) == 250
    assert answer.sentence == (
        "hz1000: the tick (interrupt local_timer) takes 13.7 µs in 100 % of its quanta, 1.37 % of the time; "
        "hz250: the tick (interrupt local_timer) takes 13.7 µs in 25 % of its quanta, 0.343 % of the time; "
        "nohz: 12.8 µs are missing in 85 % of its quanta, 1.09 % of the time, with no record of what took "
        "them."
    )


def test_few_runs_are_told_apart_by_their_shelves(working_service: Service) -> None:
    sides = {
        "hz1000": [_counts(1, {15: 1_000}), _trace(1_000)],
        "hz250": [_counts(2, {15: 250}), _trace(4_000)],
    }
    asked = _asked(working_service, sides)
    answer = working_service.client.post("/api/v1/compare", json=asked).json()
    plateaus = working_service.client.post("/api/v1/compare/shelves", json=asked).json()
    assert answer["sentences"] == [answer["sentence"]] == [plateaus["sentence"]]
    assert "hz250: the tick (interrupt local_timer) takes 13.7 µs in 25 %" in answer["sentence"]


@pytest.mark.parametrize(
    ("lost", "trace"),
    [
        pytest.param({15: 250}, _trace(1_000), id="comes too often"),
        pytest.param({15: 250}, _trace(40_000), id="comes too seldom"),
        pytest.param({15: 250}, _trace(4_000, cost_us=40), id="costs more"),
        pytest.param({60: 250}, _trace(4_000), id="costs less than half"),
    ],
)
def test_the_nearest_suspect_is_not_named(
    working_service: Service, lost: dict[int, int], trace: bytes
) -> None:
    [one] = _shelves(working_service, {"alone": [_counts(4, lost), trace]}).variants
    assert [shelf.state for shelf in one.shelves] == ["top", "unexplained"]
    assert one.shelves[1].causes == []


def test_counts_alone_have_distances_and_no_cause(working_service: Service) -> None:
    answer = _shelves(working_service, {"one": [_counts(5, {15: 250})], "other": [_counts(6, {15: 1_000})]})
    assert [_places(one) for one in answer.variants] == [
        [(1_094, 75, "top"), (1_079, 25, "untraced")],
        [(1_079, 100, "untraced")],
    ]
    assert [one.tick for one in answer.variants] == [None, None]
    assert answer.notes == [
        "1,094 is taken for the undisturbed quantum. No trace says whether something comes in every quantum."
    ]


def test_a_tick_in_every_quantum_hides_the_undisturbed_one(working_service: Service) -> None:
    answer = _shelves(working_service, {"alone": [_counts(7, {15: 1_000}), _trace(1_000)]})
    assert _places(answer.variants[0]) == [(1_079, 100, "top")]
    assert answer.notes[0].startswith(
        "1,079 is not the undisturbed quantum: the tick (interrupt local_timer) comes in every quantum of "
    )


def test_quanta_of_two_lengths_have_no_scale_in_common(working_service: Service) -> None:
    answer = _shelves(
        working_service, {"short": [_counts(8, {15: 250}, quantum_us=100)], "long": [_counts(9, {15: 1_000})]}
    )
    assert answer.top is None
    assert answer.notes[0].startswith("The quanta differ (short: 100 µs; long: 1 ms)")
    assert [_places(one)[0] for one in answer.variants] == [(1_094, 75, "top"), (1_079, 100, "top")]
    assert answer.variants[0].shelves[1].below_ns == 1_371


def test_durations_have_no_shelves(working_service: Service) -> None:
    body = _asked(working_service, {"waits": [wakeups([5] * 200, comm="noshelves")]}, kind="wakeup")
    response = working_service.client.post("/api/v1/compare/shelves", json=body)
    assert response.status_code == 422
    assert "shelves are found in counts of work per quantum" in response.text
    empty = _asked(working_service, {"waits": [wakeups([6] * 200, comm="noshelves")]})
    response = working_service.client.post("/api/v1/compare/shelves", json=empty)
    assert response.json()["variants"][0]["shelves"] == []
