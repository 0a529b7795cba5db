"""Variants compared: numbers of all traces together, differences that are real, causes and a guard."""

import json
import re
from typing import Any

import numpy as np
import pytest

from jitterscope.schemas.compare import CompareAnswer, DistributionAnswer, MeasuresAnswer
from tests.api.recordings import wakeups
from tests.api.service import Service


def _ready(service: Service, content: bytes, run: str, side: str) -> str:
    trace_id = service.ready(content)
    labels = {"labels": {"experiment": run, "side": side}}
    assert service.client.patch(f"/api/v1/traces/{trace_id}", json=labels).status_code == 200
    return trace_id


def _compared(service: Service, body: dict[str, Any]) -> CompareAnswer:
    response = service.client.post("/api/v1/compare", json=body)
    assert response.status_code == 200, response.text
    return CompareAnswer.model_validate_json(response.content)


def _waits(longest_us: int, run: int) -> list[int]:
    """200 waits of some microseconds, of which ten are as long as that."""
    return [longest_us + run if number % 20 == 0 else 5 + (number * 7 + run) % 11 for number in range(200)]


@pytest.fixture(scope="module")
def variants(working_service: Service) -> tuple[Service, dict[str, list[str]]]:
    """Five runs before and five after; the comm keeps them from being the traces of other tests."""
    found = {
        side: [
            _ready(working_service, wakeups(_waits(longest_us, run), comm=f"exp{side}"), "waits", side)
            for run in range(5)
        ]
        for side, longest_us in (("before", 80), ("after", 40))
    }
    return working_service, found


def test_all_traces_of_a_variant_are_one(variants: tuple[Service, dict[str, list[str]]]) -> None:
    service, ids = variants
    body = {
        "measure": {"kind": "wakeup"},
        "variants": [
            {"name": "before", "labels": {"experiment": "waits", "side": "before"}},
            {"name": "after", "traces": ids["after"]},
        ],
    }
    answer = _compared(service, body)
    before, after = answer.variants
    values = sorted(us * 1000 for run in range(5) for us in _waits(80, run))
    assert (before.traces, before.samples, before.exact) == (5, 1000, True)
    assert (before.min_ns, before.max_ns) == (values[0], values[-1])
    assert before.mean_ns == round(sum(values) / 1000)
    found = before.p50_ns, before.p90_ns, before.p99_ns, before.p99_9_ns
    assert found == (values[499], values[899], values[989], values[998])
    assert before.intervals.p99_ns is not None
    assert before.intervals.p99_9_ns is None
    assert before.max_url is not None
    longest = service.client.get(
        before.max_url.replace("/t/", "/api/v1/traces/").replace("cases", "latencies")
    )
    assert longest.json()["duration_ns"] == before.max_ns
    by_stat = {one.stat: one for one in answer.differences}
    p99 = by_stat["p99_ns"]
    assert (p99.before, p99.after, p99.is_real) == (before.p99_ns, after.p99_ns, True)
    assert p99.interval is not None
    assert p99.interval[1] < 0
    assert by_stat["max_ns"].is_real is None
    assert answer.sentence.startswith("p99 fell from 83 µs to 43 µs (\N{MINUS SIGN}48 %, 95 % interval ")
    assert answer.guard == []


def test_the_page_asks_the_same_by_its_query(variants: tuple[Service, dict[str, list[str]]]) -> None:
    service, ids = variants
    body = {
        "measure": {"kind": "wakeup"},
        "variants": [
            {"name": "before", "labels": {"experiment": "waits", "side": "before"}},
            {"name": "after", "traces": ids["after"]},
        ],
        "where": {"cpu": 0},
    }
    answer = _compared(service, body)
    assert answer.variants[0].samples == 1000
    again = service.client.get(answer.url)
    assert again.status_code == 200, again.text
    assert CompareAnswer.model_validate_json(again.content) == answer


def test_one_group_does_not_differ_from_itself(variants: tuple[Service, dict[str, list[str]]]) -> None:
    service, ids = variants
    same = [{"name": name, "traces": ids["before"]} for name in ("one", "other")]
    answer = _compared(service, {"measure": {"kind": "wakeup"}, "variants": same})
    assert answer.sentence.startswith(
        "No difference at 95 % confidence: p99 is 83 µs (one) and 83 µs (other)"
    )
    assert not any(one.is_real for one in answer.differences)


def test_the_guard_says_what_else_differs(variants: tuple[Service, dict[str, list[str]]]) -> None:
    service, ids = variants
    other = service.ready(b"T: 0 (  99) P:80 I:1000 C:    7 Min:     19 Act:   32 Avg:   20 Max:      44\n")
    body = {
        "measure": {"kind": "wakeup"},
        "variants": [{"name": "traced", "traces": ids["before"]}, {"name": "printed", "traces": [other]}],
    }
    answer = _compared(service, body)
    assert answer.sentence == "printed has no samples of this measure."
    assert "The format differs: tracefs_text (traced), cyclictest_text (printed)." in answer.guard
    assert "printed: 1 of 1 trace has no samples of this measure." in answer.guard
    assert answer.variants[1].p99_ns is None


def test_measurements_beside_their_traces_are_no_fault(
    variants: tuple[Service, dict[str, list[str]]],
) -> None:
    service, ids = variants
    lines = b"T: 0 (  9%d) P:80 I:1000 C:    7 Min:     19 Act:   32 Avg:   20 Max:      44\n"
    files = [service.ready(lines % number) for number in range(2)]
    both = [
        {"name": side, "traces": [*ids[side], file]}
        for side, file in zip(("before", "after"), files, strict=True)
    ]
    answer = _compared(service, {"measure": {"kind": "measured"}, "variants": both})
    assert answer.guard == []
    told = "the numbers are from 1 measurement file, and what took the CPUs is from 5 traces"
    unknown = "These files do not state the kernel or the command line: a difference there would not show."
    assert answer.notes == [f"In each variant, {told}.", unknown]
    # The other way round.
    answer = _compared(service, {"measure": {"kind": "wakeup"}, "variants": both[:1]})
    assert answer.guard == []
    told = "the numbers are from 5 traces, and not from 1 measurement file"
    assert answer.notes == [f"In before, {told}."]


def _sleeper(period_ns: int, late_ns: list[int]) -> bytes:
    """How late sleeps of one length ended, as the program that slept prints it."""
    head = f"# jitter cpu=1 period_ns={period_ns} n={len(late_ns)} prio=0 mode=absolute"
    lines = [
        f"{number}\t{45_000_000_000 + number * period_ns + late}\t{late}"
        for number, late in enumerate(late_ns)
    ]
    return "\n".join([head, "#i\twake_ns(CLOCK_MONOTONIC)\tlate_ns", *lines, ""]).encode()


def test_runs_of_one_recording_each_are_told_apart_within_them(working_service: Service) -> None:
    chance = np.random.default_rng(3)

    def run(count: int, longest_ns: int) -> list[int]:
        # The middle moves once by half a microsecond, so that blocks of the run are never independent.
        late = 76_500 + 500 * (3 * np.arange(count) > count) + chance.integers(20, size=count)
        longer = chance.integers(longest_ns, size=count) * (chance.random(count) < 0.2)
        found: list[int] = (late + longer).tolist()
        return found

    def uploaded(longest_ns: int) -> list[str]:
        lengths = ((1_000_000, 1_000), (10_000_000, 150), (100_000_000, 20), (1_000_000_000, 4))
        return [working_service.ready(_sleeper(ns, run(count, longest_ns))) for ns, count in lengths]

    idle, load, again = uploaded(1_000), uploaded(5_000_000), uploaded(1_000)
    named = {"idle": idle, "load": load, "again": again}
    variants = [{"name": name, "traces": ids} for name, ids in named.items()]
    answer = _compared(working_service, {"measure": {"kind": "measured"}, "variants": variants[:2]})
    assert [one.drawn for one in answer.variants] == ["blocks", "blocks"]
    assert answer.sentence.startswith("Within these runs, p99 rose from 7")
    assert not any(one.is_real for one in answer.differences)
    same = [variants[0], variants[2]]
    answer = _compared(working_service, {"measure": {"kind": "measured"}, "variants": same})
    assert answer.sentence.startswith("No difference within these runs at 95 % confidence")


def _ticks(count: int) -> bytes:
    """A task that runs on CPU 0 for a second, and is interrupted so often, for 10 µs each time."""
    lines = [
        "<idle>-0 [000] d..2. 1.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 "
        "prev_state=R ==> next_comm=sh next_pid=7 next_prio=120"
    ]
    for number in range(count):
        t_us = (number + 1) * 100
        lines.append(f"sh-7 [000] d.h1. 1.{t_us:06d}: local_timer_entry: vector=236")
        lines.append(f"sh-7 [000] d.h1. 1.{t_us + 10:06d}: local_timer_exit: vector=236")
    lines.append(
        "sh-7 [000] d..2. 2.000000: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 "
        "prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120"
    )
    return ("# tracer: nop\n#\n" + "\n".join(lines) + "\n").encode()


def test_quantiles_are_read_from_the_samples_where_sums_are_rounded(working_service: Service) -> None:
    service, chance = working_service, np.random.default_rng(5)
    runs = [[int(late) for late in 60_000 + chance.gamma(2, 20_000, 3_000)] for _ in range(3)]
    runs.append([70_000 + 7 * number for number in range(40)])
    ids = [service.ready(_sleeper(1_000_000, run)) for run in runs]
    parts = {"rounded": (0, 1), "mixed": (2, 3), "exact": (3,)}
    variants = [{"name": name, "traces": [ids[at] for at in part]} for name, part in parts.items()]
    body = {"measure": {"kind": "measured"}, "variants": variants}
    assert [one.exact for one in _compared(service, body).variants] == [False, False, True]
    answer = service.client.post("/api/v1/compare/exact", json=body)
    assert answer.headers["content-type"] == "application/x-ndjson"
    *progress, found = [json.loads(line) for line in answer.text.splitlines()]
    assert progress == [{"done": done, "total": 3} for done in range(4)]
    for variant, part in zip(found["variants"], parts.values(), strict=True):
        values = sorted(late for at in part for late in runs[at])
        for name, share in (("p50_ns", 5_000), ("p90_ns", 9_000), ("p99_ns", 9_900), ("p99_99_ns", 9_999)):
            assert variant[name] == values[-(-len(values) * share // 10_000) - 1], (variant["name"], name)
    gone = body | {"variants": [{"name": "gone", "traces": ["aaaaaaaaaaaa"]}]}
    assert service.client.post("/api/v1/compare/exact", json=gone).status_code == 404


def test_interrupts_count_whomever_they_interrupt(working_service: Service) -> None:
    many, few = (working_service.ready(_ticks(count)) for count in (1000, 10))
    body = {
        "measure": {"kind": "irq"},
        "variants": [{"name": "before", "traces": [many]}, {"name": "after", "traces": [few]}],
    }
    answer = _compared(working_service, body)
    [timer] = [one for one in answer.causes if (one.cause, one.what) == ("irq", "local_timer")]
    rates = [round(rate or 0) for rate in (timer.from_per_s, timer.to_per_s)]
    assert (rates, timer.from_mean_ns) == ([1000, 10], 10_000)


def test_cpus_that_are_idle_in_one_variant_are_told(working_service: Service) -> None:
    busy = working_service.ready(_ticks(50))
    # The same second of work, and nine of nothing.
    lines = _ticks(50).decode().splitlines()
    last = (
        "<idle>-0 [000] d..2. 11.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 "
        "prev_state=R ==> next_comm=sh next_pid=7 next_prio=120"
    )
    idle = working_service.ready("\n".join([*lines, last, ""]).encode())
    body = {
        "measure": {"kind": "irq"},
        "variants": [{"name": "busy", "traces": [busy]}, {"name": "idle", "traces": [idle]}],
    }
    told = "Tasks ran for different parts of the recorded time: CPU 0 100 % (busy), 10 % (idle). "
    notes = _compared(working_service, body).notes
    assert [one for one in notes if one.startswith("Tasks")] == [
        told + "Rates of what took the CPUs are over all of that time, idle time included."
    ]
    body["variants"] = [{"name": "busy", "traces": [busy]}, {"name": "again", "traces": [busy]}]
    assert not any(one.startswith("Tasks") for one in _compared(working_service, body).notes)


def test_rates_are_of_the_time_that_was_recorded(working_service: Service) -> None:
    # 200 ticks in the first 20 ms, and 200 in the last 100: the 880 ms between them were lost.
    ends = b"\n".join(
        line.replace(b" 1.0", b" 1.9") for line in _ticks(200).splitlines() if b"local_timer" in line
    )
    whole = _ticks(200).splitlines()
    lost = b"\n".join([*whole[:-1], b"CPU:0 [LOST 9600 EVENTS]", ends, whole[-1], b""])
    body = {
        "measure": {"kind": "irq"},
        "variants": [
            {"name": "whole", "traces": [working_service.ready(_ticks(9900))]},
            {"name": "lossy", "traces": [working_service.ready(lost)]},
        ],
    }
    answer = _compared(working_service, body)
    [timer] = [one for one in answer.causes if (one.cause, one.what) == ("irq", "local_timer")]
    assert (timer.from_per_s, timer.to_per_s) == pytest.approx((9_900, 400 / 0.12), rel=0.001)
    assert [tick.per_s for tick in answer.ticks] == pytest.approx([10_000, 10_000], rel=0.01)


@pytest.mark.parametrize(
    ("change", "status", "named"),
    [
        ({"measure": {}}, 422, "measure"),
        ({"measure": {"kind": "wakeup", "field": "a.b"}}, 422, "measure"),
        ({"variants": []}, 422, "variants"),
        ({"variants": [{"name": "a"}]}, 422, "variants"),
        ({"variants": [{"name": "a", "traces": ["nosuchtrace1"]}]}, 404, "nosuchtrace1"),
        ({"where": {"priority_class": "fifo"}}, 422, "where.priority_class"),
        ({"where": {"priority_class": "fair"}, "strata": ["cpu"]}, 422, "strata"),
    ],
)
def test_refusals_name_what_is_wrong(
    working_service: Service, change: dict[str, Any], status: int, named: str
) -> None:
    body = {"measure": {"kind": "wakeup"}, "variants": [{"name": "a", "labels": {"x": "y"}}]} | change
    response = working_service.client.post("/api/v1/compare", json=body)
    assert response.status_code == status, response.text
    assert named in response.text


def test_the_page_learns_what_can_be_compared(variants: tuple[Service, dict[str, list[str]]]) -> None:
    service, ids = variants
    chosen = [{"name": side, "traces": ids[side]} for side in ("before", "after")]
    response = service.client.post("/api/v1/compare/measures", json={"variants": chosen})
    assert response.status_code == 200, response.text
    answer = MeasuresAnswer.model_validate_json(response.content)
    assert [one.name for one in answer.variants] == ["before", "after"]
    assert [trace.id for trace in answer.variants[0].traces] == ids["before"]
    assert answer.variants[1].traces[0].labels == {"experiment": "waits", "side": "after"}
    wakeup = next(one for one in answer.measures if one.kind == "wakeup")
    assert (wakeup.key, wakeup.variants, wakeup.traces, wakeup.samples) == (None, 2, 10, 2_000)
    assert [one.variants for one in answer.measures] == sorted(
        (one.variants for one in answer.measures), reverse=True
    )


def test_the_curves_are_those_of_the_card(variants: tuple[Service, dict[str, list[str]]]) -> None:
    service, ids = variants
    body = {
        "measure": {"kind": "wakeup"},
        "variants": [{"name": side, "traces": ids[side]} for side in ("before", "after")],
    }
    card = _compared(service, body)
    response = service.client.post("/api/v1/compare/distribution", json=body)
    assert response.status_code == 200, response.text
    answer = DistributionAnswer.model_validate_json(response.content)
    assert (answer.unit, answer.exact, answer.bars) == ("ns", True, "octaves")
    for drawn, one in zip(answer.variants, card.variants, strict=True):
        assert (drawn.name, drawn.count, drawn.min_ns) == (one.name, one.samples, one.min_ns)
        assert (drawn.max_ns, drawn.p99_ns, drawn.p99_9_ns) == (one.max_ns, one.p99_ns, one.p99_9_ns)
        assert sum(bar.count for bar in drawn.histogram) == one.samples
        assert drawn.shelves.duration_ns[-1] == one.max_ns


def _form(service: Service, body: dict[str, Any], wanted: str) -> str:
    """The comparison in the form that `Accept` asks for; the same as `format` gives."""
    response = service.client.post("/api/v1/compare", json=body, headers={"Accept": wanted})
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].startswith(wanted)
    assert "sandbox" in response.headers["content-security-policy"]
    form = {"text/html": "html", "text/plain": "text", "image/svg+xml": "svg"}[wanted]
    assert service.client.post("/api/v1/compare", json=body, params={"format": form}).text == response.text
    return response.text


def _escaped(ids: dict[str, list[str]]) -> dict[str, Any]:
    return {
        "measure": {"kind": "wakeup"},
        "variants": [
            {"name": "<b>before</b>", "traces": ids["before"]},
            {"name": "after; =1", "traces": ids["after"]},
        ],
        "strata": ["cpu"],
    }


def test_a_comparison_is_text_and_a_page_that_stands_alone(
    variants: tuple[Service, dict[str, list[str]]],
) -> None:
    service, ids = variants
    body = _escaped(ids)
    answer = _compared(service, body)
    html = _form(service, body, "text/html")
    assert "<script" not in html
    assert "src=" not in html
    assert "<b>before" not in html
    assert html.count('class="curve v') == 2
    assert answer.variants[1].max_url is not None
    assert f'href="{answer.variants[1].max_url}"' in html
    text = _form(service, body, "text/plain").splitlines()
    assert text[0] == answer.sentence[: len(text[0])]
    first = next(line.split() for line in text if "±" in line and line.split()[0] == "<b>before</b>")
    assert first[1:3] == ["5", "1,000"]
    real = [one.stat for one in answer.differences if one.is_real]
    assert sum(line.endswith("yes") for line in text) >= len(real) > 0
    assert "Samples split by cpu:" in text
    # Under the last column a link would begin beyond the edge of a mail.
    assert f"      {answer.variants[1].max_url}" in text
    page = text[-1]
    assert page.startswith(f"{service.base_url}/compare?v=1&variants=%253Cb%253Ebefore%253C%252Fb%253E%3D")
    assert page.endswith("&kind=wakeup&rows=cpu")


def test_the_curves_of_a_comparison_are_a_picture(variants: tuple[Service, dict[str, list[str]]]) -> None:
    service, ids = variants
    svg = _form(service, _escaped(ids), "image/svg+xml")
    words = set(re.findall(r"<text[^>]*>([^<]*)</text>", svg))
    assert {"p99", "p99.9", "50 µs", "&lt;b&gt;before&lt;/b&gt;", "after; =1"} <= words
    # Two curves, and the line beside each name.
    assert svg.count('class="curve v') == 4


def test_without_samples_a_report_still_says_so(variants: tuple[Service, dict[str, list[str]]]) -> None:
    service, ids = variants
    body = {"measure": {"kind": "cyclic"}, "variants": [{"name": "one", "traces": ids["before"][:1]}]}
    assert "<path" not in _form(service, body, "image/svg+xml")
    assert "add a second variant" in _form(service, body, "text/plain")
    assert "<svg" not in _form(service, body, "text/html")
