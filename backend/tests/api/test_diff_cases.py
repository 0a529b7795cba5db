"""Comparisons of cases by REST: by what came between, by groups, and with others of their kind."""

import html
import re

import pytest

from tests.api.comparisons import bare, check_refused, compare, seen_of, text_of
from tests.api.service import Service

EVENTS = """
          <idle>-0 [000] d.h1. {0}.000100: sched_waking: comm=rt pid={1} prio=89 target_cpu=000
{2}          <idle>-0 [000] d..2. {0}.000{3}: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid={1} next_prio=89
              rt-{1} [000] d..2. {0}.000900: sched_switch: prev_comm=rt prev_pid={1} prev_prio=89 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
""".lstrip("\n")  # noqa: E501 (lines of a real file are as long as they are)

INTERRUPT = """
          <idle>-0 [000] d.h1. {0}.000110: irq_handler_entry: irq=24 name=eth0
          <idle>-0 [000] d.h1. {0}.000115: softirq_raise: vec=3 [action=NET_RX]
          <idle>-0 [000] d.h1. {0}.000130: irq_handler_exit: irq=24 ret=handled
          <idle>-0 [000] ..s1. {0}.000132: softirq_entry: vec=3 [action=NET_RX]
          <idle>-0 [000] ..s1. {0}.000160: softirq_exit: vec=3 [action=NET_RX]
""".lstrip("\n")


@pytest.fixture(scope="session")
def wakeups(working_service: Service) -> tuple[Service, str]:
    """Four wakeups of 10 to 13 µs, and one that an interrupt and its softirq delay to 70 µs."""
    head = "# tracer: nop\n#\n#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
    cases = [EVENTS.format(100 + number, 9, "", 110 + number) for number in range(4)]
    cases.append(EVENTS.format(104, 9, INTERRUPT.format(104), 170))
    return working_service, working_service.ready((head + "".join(cases)).encode())


@pytest.fixture(scope="session")
def quick_wakeups(working_service: Service) -> str:
    """Wakeups of another recording: three of the same task, by name, and two of another."""
    head = "# tracer: nop\n#\n#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
    cases = [EVENTS.format(200 + number, 19, "", 102 + number) for number in range(3)]
    cases += [EVENTS.format(210 + number, 20, "", 150).replace("rt", "sh") for number in range(2)]
    return working_service.ready((head + "".join(cases)).encode())


def test_numbers_of_a_program_are_compared_without_made_up_events(working_service: Service) -> None:
    """Bars of a histogram: their times are not known, and the normal one is the median of all cycles."""

    def histogram(bars: dict[int, int]) -> bytes:
        lines = ["# Histogram", *(f"{value:06} {bars.get(value, 0):06}" for value in range(120))]
        lines += [f"# Total: {sum(bars.values()):09}", f"# Min Latencies: {min(bars):05}"]
        lines += [f"# Max Latencies: {max(bars):05}", "# Histogram Overflows: 00000", ""]
        return "\n".join(lines).encode()

    fast = working_service.ready(histogram({7: 900, 8: 50, 30: 2, 40: 1, 60: 1}))
    slow = working_service.ready(histogram({7: 900, 8: 50, 9: 3, 80: 22, 118: 1}))
    [worst] = working_service.client.get(
        f"/api/v1/traces/{slow}/latencies", params={"kind": "measured", "limit": 1}
    ).json()["items"]
    for normal in (f"{fast}/auto", "auto"):
        found = compare(working_service, f"{slow}/{worst['id']}", normal)
        assert found.normal.duration_ns == 7_000
        assert found.summary == (
            "+111.00 µs: 118.00 µs against 7.000 µs. Neither recording has events that show why."
        )
        assert found.abnormal.title == "Measured by another program on CPU 0"
        assert found.rows.name == ["measured"]
        assert found.by_events is None


def test_a_case_is_compared_with_the_median_of_another_trace(
    wakeups: tuple[Service, str], quick_wakeups: str
) -> None:
    service, trace_id = wakeups
    found = compare(service, f"{trace_id}/wakeup-9@104000100000", f"{quick_wakeups}/auto")
    assert (found.normal.id, found.normal.duration_ns) == ("wakeup-19@201000100000", 3_000)
    assert "task" not in {guard.name for guard in found.guard}
    every = compare(service, f"{trace_id}/wakeup-9@104000100000", f"{quick_wakeups}/all")
    assert every.normal.set is not None
    assert every.normal.set.count == 3
    # A task that the other recording does not know is compared with all others, and says so.
    stranger = "# tracer: nop\n#\n#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
    stranger += EVENTS.format(300, 77, "", 170).replace("rt", "late")
    alone = service.ready(stranger.encode())
    found = compare(service, f"{alone}/wakeup-77@300000100000", f"{quick_wakeups}/auto")
    assert "The normal recording has no such case of late, so cases of other tasks are compared." in {
        guard.sentence for guard in found.guard
    }


def test_a_slow_wakeup_shows_what_came_between(wakeups: tuple[Service, str]) -> None:
    service, trace_id = wakeups
    found = compare(service, f"{trace_id}/wakeup-9@104000100000")
    assert (found.kind, found.abnormal.duration_ns, found.normal.id) == (
        "events",
        70_000,
        "wakeup-9@101000100000",
    )
    rows = found.rows
    shown = dict(zip(rows.name, zip(rows.status, rows.abnormal.duration_ns, strict=True), strict=True))
    assert shown["irq eth0"] == ("added", 20_000)
    assert shown["softirq NET_RX"] == ("added", 28_000)
    assert shown["softirq_raise NET_RX"] == ("added", 15_000)
    assert shown["sched_waking this task"] == ("matched", 10_000)
    assert shown["sched_switch → this task"] == ("matched", 0)
    assert found.summary == (
        "+59.00 µs: softirqs took 28.00 µs more: NET_RX; interrupts took 20.00 µs more: eth0 [24]; "
        "the CPU was idle 11.00 µs longer."
    )
    assert [(cause.cause, cause.delta_ns) for cause in found.causes] == [
        ("softirq", 28_000),
        ("irq", 20_000),
        ("idle", 11_000),
    ]
    assert sum(stage.delta_ns for stage in found.stages) == found.delta_ns
    text = text_of(service, "text", f"{trace_id}/wakeup-9@104000100000")
    assert "By the order of events:" in text
    assert found.by_events == (
        "+59.00 µs: 28.00 µs in softirqs missing from the normal run (NET_RX), 20.00 µs in interrupts "
        "missing from the normal run (eth0), 10.00 µs from the exit of softirq NET_RX to "
        "sched_switch → this task (extra), 1.00 µs in 2 smaller differences."
    )
    first = found.contributions.only_one_side[0]
    assert (first.names, first.repeat) == (["softirq NET_RX"], "new")


@pytest.mark.parametrize("form", ["html", "text"])
def test_the_report_of_cases_says_why_each_took_so_long(working_service: Service, form: str) -> None:
    head = "# tracer: nop\n#\n#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
    quick = [EVENTS.format(100 + number, 9, "", 110 + number) for number in range(4)]
    slow = EVENTS.format(104, 9, INTERRUPT.format(104), 170)
    hostile = "".join([*quick, slow]).replace("=rt ", "=<img> ").replace(" rt-9 ", " <img>-9 ")
    trace_id = working_service.ready((head + hostile).encode())
    case_id = "wakeup-9@104000100000"
    text = text_of(working_service, form, f"{trace_id}/{case_id}")
    assert ("<img>" in text) == (form == "text")
    told = bare(html.unescape(re.sub("<[^>]*>", "", text)) if form == "html" else text)
    for side in ("abnormal", "normal"):
        assert f"Whythe{side}onetooksolong" in told
    case = working_service.client.get(f"/api/v1/traces/{trace_id}/latencies/{case_id}").json()
    assert case["headline"].startswith("Wakeup of <img>-9 on CPU 0 took 70 µs")
    assert bare(case["headline"]) in told
    longest = max(case["why"], key=lambda link: link["duration_ns"])
    assert bare(f"{round(longest['duration_ns'] / 700)} %: {longest['sentence']}") in told


def test_a_wakeup_is_compared_with_all_others(wakeups: tuple[Service, str]) -> None:
    service, trace_id = wakeups
    found = compare(service, f"{trace_id}/wakeup-9@104000100000", "all")
    assert found.normal.set is not None
    assert (found.normal.set.count, found.normal.set.used, found.normal.set.median_ns) == (4, 4, 11_000)
    rows = found.rows
    both = zip(rows.abnormal.seen or [], rows.normal.seen or [], strict=True)
    seen = dict(zip(rows.name, both, strict=True))
    assert (seen["irq eth0"], seen["sched_waking this task"]) == ((1, 0), (1, 4))
    first = found.contributions.only_one_side[0]
    assert seen_of(first) == ((1, 1), (0, 4))


def test_groups_of_cases_are_compared(wakeups: tuple[Service, str]) -> None:
    service, trace_id = wakeups
    slow = f"{trace_id}/cases:wakeup;min=13us"
    real_time = f"{trace_id}/cases:wakeup;priority_class=deadline,real_time"
    for normal in ("all", f"{trace_id}/cases:wakeup;comm=rt", real_time):
        found = compare(service, slow, normal)
        assert found.abnormal.set is not None
        assert found.normal.set is not None
        assert (found.abnormal.set.count, found.abnormal.set.median_ns) == (2, 13_000)
        assert (found.normal.set.count, found.normal.set.median_ns) == (3, 11_000)
    found = compare(service, slow)
    assert (found.normal.id, found.normal.set) == ("wakeup-9@101000100000", None)
    check_refused(service, 422, "abnormal: kind: ", abnormal=f"{trace_id}/cases:nonsense")
    check_refused(service, 422, '"x=1" is not a filter of cases', abnormal=f"{trace_id}/cases:wakeup;x=1")
    fair = f"{trace_id}/cases:wakeup;priority_class=fair"
    check_refused(service, 404, 'has no case of "cases:wakeup;priority_class=fair"', abnormal=fair)
    check_refused(
        service, 404, 'has no case of "cases:wakeup;pid=77"', abnormal=f"{trace_id}/cases:wakeup;pid=77"
    )


def test_cases_of_several_traces_are_counted(wakeups: tuple[Service, str]) -> None:
    service, trace_id = wakeups
    head = "# tracer: nop\n#\n#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
    quick = [EVENTS.format(200 + number, 9, "", 110 + number) for number in range(3)]
    other = service.ready((head + "".join(quick)).encode())
    found = compare(service, f"{trace_id}/wakeup-9@104000100000", f"{trace_id},{other}/cases:wakeup;max=14us")
    assert found.normal.set is not None
    assert (found.normal.set.count, found.normal.set.used, found.normal.set.median_ns) == (7, 7, 11_000)
    rows = found.rows
    assert dict(zip(rows.name, rows.normal.of or [], strict=True))["irq eth0"] == 7
    both = compare(service, f"{trace_id},{other}/cases:wakeup;min=12us", "all")
    assert both.abnormal.set is not None
    assert both.normal.set is not None
    assert (both.abnormal.set.count, both.normal.set.count) == (4, 4)


def test_a_task_with_one_case_is_compared_with_others(working_service: Service) -> None:
    head = "# tracer: nop\n#\n#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
    tasks = ((5, "rt"), (6, "sh"), (7, "sh"))
    cases = [EVENTS.format(100 + pid, pid, "", 110 + pid).replace("rt", comm) for pid, comm in tasks]
    trace_id = working_service.ready((head + "".join(cases)).encode())
    found = compare(working_service, f"{trace_id}/wakeup-7@107000100000")
    assert found.normal.id == "wakeup-6@106000100000"
    assert [(one.name, one.abnormal, one.is_doubtful) for one in found.guard] == [("task", "sh-7", False)]
    found = compare(working_service, f"{trace_id}/wakeup-5@105000100000", "all")
    assert found.normal.set is not None
    assert (found.normal.set.count, found.is_doubtful) == (2, True)
    assert found.guard[0].sentence.startswith("rt-5 has no other case (Wakeup latency), so ")


def test_cases_are_compared_with_cases_of_their_kind(wakeups: tuple[Service, str]) -> None:
    service, trace_id = wakeups
    case = f"{trace_id}/wakeup-9@104000100000"
    check_refused(service, 404, 'There is no case "wakeup-9@7"', abnormal=f"{trace_id}/wakeup-9@7")
    other = f"{trace_id}/irq-cpu0@104000110000"
    check_refused(
        service,
        422,
        "normal: a case of wakeup cannot be compared with one of irq",
        abnormal=case,
        normal=other,
    )
