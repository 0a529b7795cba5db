"""Comparisons of calls by REST: the worked pair to the nanosecond, sets, groups, other forms, refusals."""

import html
import json
import re
from pathlib import Path
from urllib.parse import unquote
from xml.etree.ElementTree import fromstring

import pytest

from jitterscope.reports.diff import set_words
from jitterscope.schemas.diff import DiffSet
from tests.api.comparisons import bare, check_refused, compare, seen_of, text_of
from tests.api.service import Service

SAMPLES = Path(__file__).resolve().parents[3] / "sample_traces"

SENTENCE = (
    "+10.06 µs: 8.37 µs in calls missing from the normal run (ktime_get, hrtimer_forward, "
    "hrtimer_start_range_ns under enqueue_task_rt), 1.69 µs in slower calls."
)

# Delta, self delta, abnormal, and nothing on the normal side.
ROW_OF_KTIME_GET = ["+0.470", "µs", "+0.470", "µs", "0.470", "µs", "ktime_get", "only", "abnormal"]

HEADER = b"""# tracer: function_graph
#
# CPU  DURATION                  FUNCTION CALLS
# |     |   |                     |   |   |   |
"""

Pair = tuple[Service, str, str]


@pytest.fixture(scope="session")
def worked(working_service: Service) -> Pair:
    """The abnormal and the normal timer interrupt of a mailing list, which are two files."""
    abnormal, normal = (
        working_service.ready((SAMPLES / f"timer-interrupt-{name}.txt").read_bytes(), f"{name}.txt")
        for name in ("abnormal-annotated", "normal")
    )
    return working_service, f"{abnormal}/call-cpu1@0.0", f"{normal}/call-cpu1@0.0"


@pytest.fixture(scope="session")
def ticks(working_service: Service) -> tuple[Service, str]:
    """Five ticks of CPU 0 and one of CPU 1; the last one of CPU 0 calls what no other does."""
    return working_service, working_service.ready(recording())


def recording(extra: str = "wake_up", last_us: int = 50) -> bytes:
    """Ticks of 10 to 13 µs, and one that calls `extra`."""
    lines = [tick(0, 10 + number, "") for number in range(4)]
    lines.append(tick(1, 30, ""))
    lines.append(tick(0, last_us, f" 0)   35.000 us   |    {extra}();\n"))
    return HEADER + "".join(lines).encode()


def tick(cpu: int, duration_us: int, extra: str) -> str:
    return (
        f" {cpu})               |  tick() {{\n {cpu})   4.000 us    |    update();\n{extra}"
        f" {cpu})   {duration_us}.000 us   |  }}\n"
    )


def test_the_worked_pair(worked: Pair) -> None:
    found = compare(*worked)
    assert (found.abnormal.duration_ns, found.normal.duration_ns, found.delta_ns) == (63_996, 53_940, 10_056)
    assert found.summary == SENTENCE
    rows = found.rows
    by_name = {name: at for at, name in reversed(list(enumerate(rows.name)))}
    assert rows.delta_ns[by_name["enqueue_task_rt"]] == 9_992
    added = {"ktime_get": 470, "hrtimer_forward": 394, "hrtimer_start_range_ns": 7_505}
    for name, delta_ns in added.items():
        at = by_name[name]
        assert (rows.status[at], rows.delta_ns[at]) == ("added", delta_ns)
        parent = rows.parent[at]
        assert parent is not None
        assert rows.name[parent] == "enqueue_task_rt"
    first = found.contributions.only_one_side[0]
    assert (first.names, first.under, first.delta_ns) == (list(added), "enqueue_task_rt", 8_369)
    assert [guard.name for guard in found.guard] == ["kernel"]
    assert not found.is_doubtful


def test_the_other_way_round_is_the_mirror_image(worked: Pair) -> None:
    service, abnormal, normal = worked
    there, back = compare(service, abnormal, normal), compare(service, normal, abnormal)
    assert back.delta_ns == -there.delta_ns
    ways = [
        sorted(-delta if found is back else delta for delta in found.rows.self_delta_ns)
        for found in (there, back)
    ]
    assert ways[0] == ways[1]


def test_auto_is_the_median_of_the_same_cpu(ticks: tuple[Service, str]) -> None:
    service, trace_id = ticks
    found = compare(service, f"{trace_id}/call-cpu0@46000.0")
    # Of 10, 11, 12 and 13 µs the lower of the two in the middle; the one of CPU 1 is no normal one.
    assert (found.normal.id, found.normal.duration_ns, found.normal.set) == (
        "call-cpu0@10000.0",
        11_000,
        None,
    )
    assert [(one.names, one.delta_ns) for one in found.contributions.only_one_side] == [(["wake_up"], 35_000)]


def test_the_normal_has_the_shape_of_the_abnormal(working_service: Service) -> None:
    wakeup = "".join(f" 0)   1.000 us    |    wake_{number}();\n" for number in range(4))
    work = "".join(f" 0)   1.000 us    |    work_{number}();\n" for number in range(4))
    lines = [tick(0, 20 + number, wakeup) for number in range(5)]
    lines += [tick(0, 40 + number, work) for number in range(3)]
    late = sum((*range(20, 25), *range(40, 43))) * 1_000
    trace_id = working_service.ready(HEADER + "".join([*lines, tick(0, 90, work)]).encode())
    found = compare(working_service, f"{trace_id}/call-cpu0@{late}.0")
    # The median of the three that work, not of all eight.
    assert (found.normal.duration_ns, found.contributions.only_one_side) == (41_000, [])
    told = [(shape.count, shape.with_, shape.is_compared) for shape in found.shapes]
    assert told == [(5, ["wake_0"], False), (3, ["work_0"], True)]
    other = compare(working_service, f"{trace_id}/call-cpu0@{late}.0", found.shapes[0].normal)
    assert (other.normal.duration_ns, [shape.is_compared for shape in other.shapes]) == (
        22_000,
        [True, False],
    )
    assert compare(working_service, f"{trace_id}/call-cpu0@{late}.0", "all").shapes == []


def test_all_others_are_a_set(ticks: tuple[Service, str]) -> None:
    service, trace_id = ticks
    found = compare(service, f"{trace_id}/call-cpu0@46000.0", "all")
    assert found.normal.set is not None
    assert (found.normal.set.count, found.normal.set.used, found.normal.set.median_ns) == (5, 5, 12_000)
    first = found.contributions.only_one_side[0]
    assert seen_of(first) == ((1, 1), (0, 5))
    rows = found.rows
    assert rows.normal.seen is not None
    assert dict(zip(rows.name, rows.normal.seen, strict=True)) == {"tick": 5, "update": 5, "wake_up": 0}
    assert rows.normal.median_ns == [12_000, 4_000, None]


def test_a_case_that_is_a_call_is_compared_as_one(ticks: tuple[Service, str], worked: Pair) -> None:
    service, trace_id = ticks
    by_call = compare(service, f"{trace_id}/call-cpu0@46000.0")
    by_case = compare(service, f"{trace_id}/call-cpu0@46000")
    assert (by_case.kind, by_case.abnormal, by_case.normal) == ("calls", by_call.abnormal, by_call.normal)
    assert by_case.summary == by_call.summary
    # On either side, and a case beside a call.
    _, abnormal, normal = worked
    case_of = {call: call.removesuffix(".0") for call in (abnormal, normal)}
    for sides in ((case_of[abnormal], case_of[normal]), (abnormal, case_of[normal])):
        assert compare(service, *sides).summary == SENTENCE
    check_refused(
        service, 422, "abnormal: kind: its cases are calls", abnormal=f"{trace_id}/cases:call;min=1us"
    )


def test_the_normal_may_be_of_another_trace(worked: Pair, ticks: tuple[Service, str]) -> None:
    service, abnormal, normal = worked
    other = normal.split("/")[0]
    found = compare(service, abnormal, f"{other}/auto")
    assert (found.summary, found.normal.trace) == (SENTENCE, other)
    assert found.url.endswith(f"&normal={other}/auto")
    found = compare(service, abnormal, f"{other}/all")
    assert found.normal.set is not None
    assert (found.normal.set.count, found.delta_ns) == (1, 10_056)
    check_refused(service, 404, 'There is no call of "smp_apic', abnormal=abnormal, normal=f"{ticks[1]}/auto")


def test_groups_stand_for_their_median(ticks: tuple[Service, str]) -> None:
    service, trace_id = ticks
    found = compare(service, f"{trace_id}/calls:tick;min=40us", f"{trace_id}/calls:tick;cpu=0;max=20us")
    assert found.normal.set is not None
    assert (found.abnormal.id, found.normal.set.count, found.normal.duration_ns) == (
        "call-cpu0@46000.0",
        4,
        11_000,
    )
    assert found.abnormal.set is not None
    assert (found.abnormal.set.count, found.abnormal.set.median_ns) == (1, 50_000)


def test_groups_are_counted_on_both_sides(ticks: tuple[Service, str]) -> None:
    service, trace_id = ticks
    # 30 and 50 µs against all that are not among them; only one of the two calls wake_up.
    found = compare(service, f"{trace_id}/calls:tick;min=30us", "all")
    assert found.abnormal.set is not None
    assert found.normal.set is not None
    assert (found.abnormal.set.count, found.normal.set.count) == (2, 4)
    rows = found.rows
    assert rows.name == ["tick", "update"]
    assert (rows.abnormal.seen, rows.abnormal.of) == ([2, 2], [2, 2])
    assert (rows.normal.seen, rows.normal.of) == ([4, 4], [4, 4])
    assert (rows.abnormal.median_ns, rows.abnormal.mad_ns) == ([30_000, 4_000], [0, 0])
    assert rows.normal.median_ns == [11_000, 4_000]
    auto = compare(service, f"{trace_id}/calls:tick;min=30us")
    assert (auto.normal.id, auto.normal.set) == ("call-cpu0@10000.0", None)


def test_groups_of_several_traces_count_the_calls_of_all(ticks: tuple[Service, str]) -> None:
    service, first = ticks
    second = service.ready(recording("other"))
    without = service.ready(recording().replace(b"tick()", b"tock()"))
    both = f"{first},{second}"
    quick = f"{both},{without}/calls:tick;cpu=0;max=20us"
    found = compare(service, f"{both}/calls:tick;min=40us", quick)
    assert found.abnormal.set is not None
    assert found.normal.set is not None
    assert (found.abnormal.trace, found.abnormal.set.count, found.abnormal.set.used) == (first, 2, 2)
    assert (found.normal.set.count, found.normal.set.used, found.normal.set.median_ns) == (8, 8, 11_000)
    assert seen_of(found.contributions.only_one_side[0]) == ((1, 2), (0, 8))
    assert [note for note in found.notes if "traces" in note] == [
        "The abnormal instances are of 2 traces. Shown is the median one of the trace whose median is in the "
        "middle.",
        "The normal instances are of 2 traces; 1 more has none. Shown is the median one of the trace whose "
        "median is in the middle.",
    ]
    # The address of the page is the same comparison.
    assert f"{both},{without}/calls:tick" in unquote(found.url)
    # All others of the same traces, without the group of each.
    others = compare(service, f"{both}/calls:tick;min=40us", "all").normal
    assert others.set is not None
    assert others.set.count == 10
    swapped = compare(service, quick, f"{both}/calls:tick;min=40us")
    assert swapped.delta_ns == -found.delta_ns


def test_only_groups_are_of_several_traces(ticks: tuple[Service, str]) -> None:
    service, trace_id = ticks
    side = f"{trace_id},{trace_id[::-1]}/call-cpu0@46000.0"
    check_refused(service, 422, "abnormal: only a group", abnormal=side)
    many = ",".join(f"trace{number}" for number in range(21))
    check_refused(service, 422, "20 traces at most", abnormal=f"{many}/calls:tick")
    check_refused(service, 404, "trace0", abnormal=f"{trace_id},trace0/calls:tick")
    check_refused(service, 404, 'no call of "tock"', abnormal=f"{trace_id}/calls:tock")


def test_two_traces_are_compared_by_names(ticks: tuple[Service, str]) -> None:
    service, trace_id = ticks
    # The same name has another number in the other file.
    first_tick = b" 0)               |  tick()"
    other = service.ready(recording().replace(first_tick, b" 0)   1.000 us    |  first();\n" + first_tick, 1))
    found = compare(service, f"{trace_id}/call-cpu0@46000.0", f"{other}/calls:tick;max=20us")
    assert found.contributions.only_one_side[0].names == ["wake_up"]
    assert {guard.name for guard in found.guard} == {"kernel", "options"}


def test_small_contributions_and_rows_past_the_limit_are_summed_up(worked: Pair) -> None:
    found = compare(*worked, noise_floor="1us", limit=5)
    assert len(found.contributions.slower) == 1
    assert found.contributions.below_floor.count > 10
    assert len(found.rows.id) == 5
    assert found.rows.id == list(range(5))
    assert found.rows_hidden.count > 20


def test_what_makes_less_than_one_percent_is_noise_unless_asked_for(worked: Pair) -> None:
    found = compare(*worked)
    lists = found.contributions
    listed = [abs(one.delta_ns) for one in (*lists.only_one_side, *lists.slower)]
    assert (found.noise_floor_ns, min(listed) >= 100, lists.below_floor.count > 0) == (100, True, True)
    assert compare(*worked, noise_floor="0").contributions.below_floor.count == 0


def test_the_text_fits_a_mail(worked: Pair) -> None:
    lines = text_of(worked[0], "text", *worked[1:]).splitlines()
    assert " ".join(lines[:2]) == SENTENCE
    assert len(lines) <= 100
    assert any("+8.369 µs: ktime_get, hrtimer_forward" in line for line in lines)
    assert any(line.split() == ROW_OF_KTIME_GET for line in lines)
    assert lines[-1].startswith("http")


def test_the_page_stands_alone(worked: Pair) -> None:
    service, abnormal, normal = worked
    asked = {"abnormal": abnormal, "normal": normal}
    response = service.client.get("/api/v1/diff", params=asked, headers={"Accept": "text/html,*/*"})
    assert response.headers["content-type"].startswith("text/html")
    # A form that comparisons do not have is no reason for JSON.
    drawn = service.client.get("/api/v1/diff", params=asked, headers={"Accept": "image/gif, text/html"})
    assert drawn.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in response.headers["content-security-policy"]
    assert "<script" not in response.text
    assert SENTENCE in response.text
    assert response.text.count("<svg") == 2
    # The mail says nothing that the page does not.
    page = html.unescape(response.text)
    said = bare(page) + bare(re.sub(r"<[^>]*>", "", page))
    for line in text_of(service, "text", abnormal, normal).splitlines():
        assert bare(line.rstrip(":")) in said


def test_both_sides_are_one_picture(worked: Pair) -> None:
    service, abnormal, normal = worked
    asked = {"abnormal": abnormal, "normal": normal}
    response = service.client.get("/api/v1/diff", params=asked, headers={"Accept": "image/svg+xml"})
    space = "{http://www.w3.org/2000/svg}"
    root = fromstring(response.text)  # noqa: S314 (our own answer)
    assert SENTENCE.startswith(root.findtext(f"{space}title", "no title"))
    names = [one.text for one in root.iterfind(f"{space}text") if one.get("class") == "title"]
    assert names[1:] == ["abnormal", "normal"]
    page = service.client.get("/api/v1/diff", params=asked | {"format": "html"}).text
    # And one in the picture for each meaning of a colour.
    assert len(root.findall(f"{space}g")) == page.count("<g ") + page.count('class="key ')
    assert "only abnormal" in [one.text for one in root.iterfind(f"{space}text")]
    # The boxes of the normal side are below those of the abnormal one.
    tops = [float(one.get("y", "")) for one in root.iterfind(f"{space}g/{space}rect")]
    assert max(tops) < float(root.get("height", ""))
    assert len({*tops}) > len({*tops[: len(tops) // 2]})
    picture = service.client.get("/api/v1/diff", params=asked | {"format": "png"})
    assert picture.headers["content-type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")


def test_the_page_colours_what_rises_above_the_noise_floor(worked: Pair) -> None:
    service, abnormal, normal = worked
    asked = {"abnormal": abnormal, "normal": normal}

    def coloured(**choice: str) -> tuple[int, bool]:
        page = service.client.get("/api/v1/diff", params=asked | choice, headers={"Accept": "text/html"}).text
        return len(re.findall(r'class="(?:slower|faster)"', page)), "by 0.100 µs or more" in page

    # 1 % of 10.056 µs: below the fixed step that it was, and in the legend.
    usual, is_in_legend = coloured()
    assert is_in_legend
    assert usual > coloured(noise_floor="500ns")[0] > coloured(noise_floor="1s")[0] == 0


@pytest.mark.parametrize("form", ["html", "text"])
def test_hostile_names_stay_text(working_service: Service, form: str) -> None:
    trace_id = working_service.ready(recording("f [<img/src=x>&amp\u202e]"), f"<b>{form}.txt")
    found = compare(working_service, f"{trace_id}/call-cpu0@46000.0")
    name = found.contributions.only_one_side[0].names[0]
    assert "<img/src=x>" in name
    text = text_of(working_service, form, f"{trace_id}/call-cpu0@46000.0")
    assert ("\u202e" in text) == (form == "html")
    assert ("<img" in text) == (form == "text")
    assert ("&lt;img/src=x&gt;&amp;amp" in text) == (form == "html")
    assert ("<b>" in text) == (form == "text")


def test_refusals(ticks: tuple[Service, str], worked: Pair) -> None:
    service, trace_id = ticks
    call = f"{trace_id}/call-cpu0@46000.0"
    check_refused(service, 404, 'There is no call "call-cpu0@7.0"', abnormal=f"{trace_id}/call-cpu0@7.0")
    check_refused(service, 404, "There is no trace", abnormal="nonsense/call-cpu0@7.0")
    check_refused(service, 404, 'There is no call of "tock"', abnormal=call, normal=f"{trace_id}/calls:tock")
    check_refused(service, 404, 'has no other call of "smp_apic', abnormal=worked[1])
    check_refused(service, 422, 'abnormal: "nonsense" names no call and no case', abnormal="nonsense")
    check_refused(
        service, 422, 'abnormal: "x=1" is not a filter of calls', abnormal=f"{trace_id}/calls:tick;x=1"
    )
    check_refused(service, 422, "abnormal: cpu: ", abnormal=f"{trace_id}/calls:tick;cpu=x")
    check_refused(
        service,
        422,
        "normal: a call can only be compared with calls",
        abnormal=call,
        normal=f"{trace_id}/wakeup-1@2",
    )
    check_refused(service, 422, "noise_floor: ", abnormal=call, noise_floor="soon")


def test_the_answer_is_that_of_the_core(worked: Pair) -> None:
    service, abnormal, normal = worked
    response = service.client.get("/api/v1/diff", params={"abnormal": abnormal, "normal": normal})
    found = json.loads(response.content)
    assert found["url"].endswith(f"/diff?abnormal={abnormal}&normal={normal}")
    assert found["abnormal"]["comm"] is None


@pytest.mark.parametrize(("count", "mad"), [(3, ", MAD 0.120 µs"), (2, "")])
def test_a_report_has_no_deviation_of_two_values(count: int, mad: str) -> None:
    of = DiffSet(count=count, used=count, median_ns=2_500, mad_ns=120, min_ns=2_100, max_ns=8_000)
    words = set_words("normal", of, "ns").replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert words.startswith(f"{count} normal instances: median 2.500 µs{mad}, 2.100 µs to 8.000 µs")
