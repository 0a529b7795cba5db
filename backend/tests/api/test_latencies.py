"""Latencies by REST: declared shapes, the right nanoseconds, refusals that name their parameter."""

import pytest

from jitterscope.schemas.latencies import LatencyItem, LatencyKinds, LatencyPage
from jitterscope.schemas.trace import TraceAnswer
from tests.api.recordings import wakeups
from tests.api.service import Service


def page_of(service: Service, trace_id: str, **parameters: str | int) -> LatencyPage:
    response = service.client.get(f"/api/v1/traces/{trace_id}/latencies", params=parameters)
    assert response.status_code == 200, response.text
    return LatencyPage.model_validate_json(response.content)


def durations_us(page: LatencyPage) -> list[int]:
    return [item.duration_ns // 1000 for item in page.items]


def test_the_worst_come_first_with_links(waiting_trace: tuple[Service, str]) -> None:
    service, trace_id = waiting_trace
    page = page_of(service, trace_id)
    assert durations_us(page) == list(range(30, 10, -1))
    worst = page.items[0]
    trace = TraceAnswer.model_validate(service.wait(trace_id))
    # 30 = 22 * 7 % 31: the 22nd wakeup, 21 ms after the first record.
    assert worst == LatencyItem(
        id=f"wakeup-9@{int(trace.origin_ns or 0) + 21_000_000}",
        kind="wakeup",
        t=21_000_000,
        end=21_030_000,
        duration_ns=30_000,
        cpu=0,
        start_cpu=None,
        pid=9,
        comm="rt",
        key=None,
        unit="ns",
        flags=[],
        weight=1,
        detail="slept 977 µs",
        headline=worst.headline,
        is_explained=worst.is_explained,
        url=f"{trace.url}/cases/{worst.id}",
    )
    assert worst.headline


@pytest.mark.parametrize("sort", ["worst", "-duration", "duration", "t", "-t"])
@pytest.mark.parametrize("limit", [7, 20])
def test_pages_join_to_all(waiting_trace: tuple[Service, str], sort: str, limit: int) -> None:
    service, trace_id = waiting_trace
    whole = page_of(service, trace_id, sort=sort, limit=1000)
    assert (len(whole.items), whole.next) == (30, None)
    found: list[LatencyItem] = []
    more: dict[str, str | int] = {"sort": sort, "limit": limit}
    while True:
        page = page_of(service, trace_id, **more)
        found += page.items
        if page.next is None:
            break
        more["cursor"] = page.next
    assert found == whole.items


@pytest.mark.parametrize(
    ("parameters", "expected_us"),
    [
        ({"min": "29us"}, [30, 29]),
        ({"max": "2us"}, [2, 1]),
        ({"kind": "wakeup", "comm": "rt", "cpu": "0", "pid": "9", "limit": 1}, [30]),
        ({"pid": "10"}, []),
        ({"cpu": "1"}, []),
        ({"start": "21.01ms", "end": "22ms"}, [30]),
        ({"start": "100.021000", "end": "100.021001"}, [30]),
    ],
)
def test_filters_must_all_hold(
    waiting_trace: tuple[Service, str], parameters: dict[str, str | int], expected_us: list[int]
) -> None:
    service, trace_id = waiting_trace
    assert durations_us(page_of(service, trace_id, **parameters)) == expected_us


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("kind=wakup", "kind"),
        ("cpu=x", "cpu"),
        ("pid=a", "pid"),
        ("priority_class=fifo", "priority_class"),
        ("min=-1us", "min"),
        ("max=long", "max"),
        ("start=soon", "start"),
        ("start=5us&end=1us", "end"),
        ("sort=size", "sort"),
        ("limit=1001", "limit"),
        ("cursor=at-3", "cursor"),
        ("key=" + "x" * 513, "key"),
        ("worst=1", "worst"),
    ],
)
def test_bad_parameters_are_refused_by_name(
    waiting_trace: tuple[Service, str], query: str, parameter: str
) -> None:
    service, trace_id = waiting_trace
    response = service.client.get(f"/api/v1/traces/{trace_id}/latencies?{query}")
    assert response.status_code == 422, response.text
    assert [error["parameter"] for error in response.json()["errors"]] == [parameter]


def kinds_of(service: Service, trace_id: str) -> LatencyKinds:
    response = service.client.get(f"/api/v1/traces/{trace_id}/latencies/kinds")
    assert response.status_code == 200, response.text
    return LatencyKinds.model_validate_json(response.content)


def test_kinds_sum_up_the_whole_trace(waiting_trace: tuple[Service, str]) -> None:
    service, trace_id = waiting_trace
    kinds = {item.kind: item for item in kinds_of(service, trace_id).items}
    wakeup = kinds["wakeup"]
    assert (wakeup.count, wakeup.min_ns, wakeup.mean_ns, wakeup.max_ns) == (30, 1_000, 15_500, 30_000)
    assert wakeup.missing is None
    assert wakeup.worst == page_of(service, trace_id, kind="wakeup", limit=1).items[0]
    bins = [(found.low_ns, found.high_ns, found.count) for found in wakeup.log2_histogram]
    assert bins[0] == (512, 1_024, 1)
    assert bins[-1] == (16_384, 32_768, 14)
    assert sum(count for _, _, count in bins) == 30


def test_a_kind_that_is_not_there_says_what_to_record(working_service: Service) -> None:
    trace_id = working_service.ready(b"".join(wakeups([5]).splitlines(keepends=True)[:5]))
    wakeup = {item.kind: item for item in kinds_of(working_service, trace_id).items}["wakeup"]
    assert (wakeup.count, wakeup.worst, wakeup.log2_histogram) == (0, None, [])
    assert wakeup.missing == [["sched_switch"], ["sched_wakeup", "sched_switch"]]
    assert page_of(working_service, trace_id) == LatencyPage(items=[], next=None)


def test_what_gives_no_number_is_counted(working_service: Service) -> None:
    lines = wakeups([5, 6]).splitlines(keepends=True)
    trace_id = working_service.ready(b"".join(lines[:-2]))
    wakeup = {item.kind: item for item in kinds_of(working_service, trace_id).items}["wakeup"]
    assert (wakeup.count, wakeup.missing) == (1, None)
    assert [(found.reason, found.count) for found in wakeup.incomplete] == [("no_end", 1)]
    assert wakeup.incomplete[0].sentence
