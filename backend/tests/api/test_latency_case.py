"""One latency case by REST: its declared shape, what explains it, its reports, and sentences made at load."""

import asyncio
import html
import re
import struct
from urllib.parse import quote
from xml.etree.ElementTree import Element, fromstring

import pytest
from psycopg import AsyncConnection

from jitterscope.ingest.frames import ImportSummary
from jitterscope.reports.png import png
from jitterscope.schemas.latency_case import LatencyCase
from jitterscope.worker.worst_cases import explain_worst_cases
from tests.api.service import Service

# The worst case of a cyclictest run, as a mailing list shows it, in latency format.
CYCLIC = b"""# tracer: nop
#
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
      cyclictest-1213    [001] ....1  2563.694114: sys_enter: NR 230 (1, 1, 7fea2bcbb900, 0, 0, 0)
      cyclictest-1213    [001] d...1  2563.694114: hrtimer_start: hrtimer=000000002ad8bc6a function=hrtimer_wakeup expires=6389900935569 softexpires=6389900935569 mode=ABS
      cyclictest-1213    [001] d..2.  2563.694120: sched_switch: prev_comm=cyclictest prev_pid=1213 prev_prio=19 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
          <idle>-0       [001] d.h1.  2563.695110: local_timer_entry: vector=236
          <idle>-0       [001] d.h1.  2563.695119: hrtimer_expire_entry: hrtimer=000000002ad8bc6a function=hrtimer_wakeup now=6389900945120
          <idle>-0       [001] d.h2.  2563.695119: sched_waking: comm=cyclictest pid=1213 prio=19 target_cpu=001
          <idle>-0       [001] dNh3.  2563.695122: sched_wakeup: comm=cyclictest pid=1213 prio=19 target_cpu=001
          <idle>-0       [001] dNh1.  2563.695122: hrtimer_expire_exit: hrtimer=000000002ad8bc6a
          <idle>-0       [001] dNh1.  2563.695123: local_timer_exit: vector=236
          <idle>-0       [001] d..2.  2563.695126: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=cyclictest next_pid=1213 next_prio=19
      cyclictest-1213    [001] .....  2563.695128: sys_exit: NR 230 = 0
"""  # noqa: E501 (lines of a real file are as long as they are)

SENTENCE = "cyclictest-1213 on CPU 1 woke 18.6 µs late: interrupt local_timer itself took 13 µs"


@pytest.fixture(scope="session")
def late_trace(working_service: Service) -> tuple[Service, str]:
    """The trace of the late cyclictest, and the service that has it."""
    return working_service, working_service.ready(CYCLIC)


def case_of(service: Service, trace_id: str, case_id: str) -> LatencyCase:
    response = service.client.get(f"/api/v1/traces/{trace_id}/latencies/{quote(case_id)}")
    assert response.status_code == 200, response.text
    return LatencyCase.model_validate_json(response.content)


def test_a_case_is_explained(late_trace: tuple[Service, str]) -> None:
    case = case_of(*late_trace, "cyclic-1213@2563695109449")
    assert case.headline == SENTENCE
    steps = [(stage.from_, stage.to, stage.duration_ns) for stage in case.stages]
    assert steps == [
        ("expected expiry", "interrupt entry", 551),
        ("interrupt entry", "timer handler", 9_000),
        ("timer handler", "waking", 0),
        ("waking", "wakeup", 3_000),
        ("wakeup", "interrupt exit", 1_000),
        ("interrupt exit", "switch", 3_000),
        ("switch", "return to user", 2_000),
    ]
    blame = [(one.cause, one.what, one.duration_ns, one.share) for one in case.blame]
    assert blame == [
        ("irq", "local_timer", 13_000, 0.700770),
        ("idle", "idle", 3_551, 0.191418),
        ("itself", "cyclictest-1213", 2_000, 0.107810),
    ]
    assert [(link.mechanism, link.start, link.duration_ns, link.certainty) for link in case.why] == [
        ("idle_exit", 995_449, 551, "recorded"),
        ("handler", 996_000, 13_000, "recorded"),
        ("handler", 1_009_000, 3_000, "recorded"),
        ("kernel_exit", 1_012_000, 2_000, "recorded"),
    ]
    assert [link.subject.name for link in case.why if link.subject] == [
        "CPU 1",
        "local_timer",
        "cyclictest-1213",
    ]
    # Everything since the interrupt's entry; what the case began with lies too long before.
    assert [event.event for event in case.events if event.is_key] == [
        "local_timer_entry",
        "hrtimer_expire_entry",
        "sched_waking",
        "sched_wakeup",
        "local_timer_exit",
        "sched_switch",
        "sys_exit",
    ]
    assert not case.events_truncated
    assert (case.window.start, case.window.end) == (995_449 - 50_000, 1_014_000 + 50_000)


# In an interrupt without events a CPU seems to stand still.
_WORK = "".join(
    f"             hog-5 [001] d.h1. 1.{t_us:06d}: kmem_cache_free: call_site=f ptr=1 name=skbuff\n"
    for t_us in range(160, 400, 10)
)

# The tick of an isolated CPU delays a task.
TICK = f"""# tracer: nop
#
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
             hog-5 [001] d.h2. 1.000100: sched_waking: comm=rt pid=9 prio=19 target_cpu=001
             hog-5 [001] d.h1. 1.000150: local_timer_entry: vector=236
             hog-5 [001] d.h1. 1.000152: hrtimer_expire_entry: hrtimer=00000000000000bb function=tick_nohz_handler now=1
{_WORK}             hog-5 [001] d.h1. 1.000400: local_timer_exit: vector=236
             hog-5 [001] d..2. 1.000600: sched_switch: prev_comm=hog prev_pid=5 prev_prio=9 prev_state=S ==> next_comm=rt next_pid=9 next_prio=19
              rt-9 [001] d..2. 1.000700: sched_switch: prev_comm=rt prev_pid=9 prev_prio=19 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
""".encode()  # noqa: E501 (lines of a real file are as long as they are)


def test_a_label_of_the_trace_decides_on_advice(working_service: Service) -> None:
    trace_id = working_service.ready(TICK)
    names = [one.name for one in case_of(working_service, trace_id, "wakeup-9@1000100000").advice]
    assert "tick_on_isolated_cpu" not in names
    labelled = {"labels": {"isolcpus": "nohz,1"}}
    assert working_service.client.patch(f"/api/v1/traces/{trace_id}", json=labelled).status_code == 200
    advice = case_of(working_service, trace_id, "wakeup-9@1000100000").advice
    found = {one.name: (one.mechanism, one.reference) for one in advice}
    assert found["tick_on_isolated_cpu"] == ("other_interrupt", "Documentation/timers/no_hz.rst")


def test_what_to_record_next(working_service: Service) -> None:
    ready = working_service.ready
    assert case_of(working_service, ready(TICK), "wakeup-9@1000100000").record_next is None
    fired = [line for line in CYCLIC.splitlines(keepends=True) if b"sched_switch" not in line]
    trace_id = ready(b"".join(fired).replace(b"2563.695110", b"2563.695118"))
    answer = working_service.client.get(f"/api/v1/traces/{trace_id}/latencies", params={"kind": "timer"})
    (item,) = answer.json()["items"]
    found = case_of(working_service, trace_id, item["id"]).record_next
    assert found is not None
    assert found.command.startswith("trace-cmd record -e sched:sched_switch -e sched:sched_waking ")
    assert re.search(r" -b \d+ -o next\.dat sleep 10$", found.command)
    assert found.why == "No record says what ran: sched_switch was not recorded."


def test_the_worst_cases_have_their_sentence_in_the_list(late_trace: tuple[Service, str]) -> None:
    service, trace_id = late_trace
    answer = service.client.get(f"/api/v1/traces/{trace_id}/latencies", params={"kind": "cyclic"}).json()
    assert [(item["headline"], item["is_explained"]) for item in answer["items"]] == [(SENTENCE, True)]


def test_sentences_made_at_load_speak_of_the_clock_of_the_file(working_service: Service) -> None:
    stamps = [100, 103, 110, 117, 125, 126]
    lines = [
        f"  <idle>-0  [000] d.h1. {stamp:6}: local_timer_{('entry', 'exit')[at % 2]}: vector=236\n"
        for at, stamp in enumerate(stamps)
    ]
    trace_id = working_service.ready(("# tracer: nop\n#\n" + "".join(lines)).encode())
    answer = working_service.client.get(f"/api/v1/traces/{trace_id}/latencies", params={"kind": "irq"}).json()
    said = [(item["headline"].split(":")[0], item["is_explained"]) for item in answer["items"]]
    took = "Interrupt local_timer on CPU 0 took"
    assert said == [(f"{took} {ticks}", True) for ticks in ("7 clock ticks", "3 clock ticks", "1 clock tick")]


def test_every_listed_case_has_an_answer_that_adds_up(ready_trace: tuple[Service, str]) -> None:
    service, trace_id = ready_trace
    listed = service.client.get(f"/api/v1/traces/{trace_id}/latencies").json()["items"]
    for item in listed:
        case = case_of(service, trace_id, item["id"])
        assert sum(one.duration_ns for one in case.blame) == case.duration_ns == item["duration_ns"]


@pytest.mark.parametrize(
    "case_id", ["cyclic-1213@2563695109450", "cyclic-1213@2563695109449+1", "nothing-1@5", "x"]
)
def test_nobody_has_other_ids(late_trace: tuple[Service, str], case_id: str) -> None:
    service, trace_id = late_trace
    response = service.client.get(f"/api/v1/traces/{trace_id}/latencies/{quote(case_id)}")
    assert response.status_code == 404, response.text
    assert case_id in response.json()["detail"]


def test_a_trace_outlives_cases_that_cannot_be_explained(late_trace: tuple[Service, str]) -> None:
    asyncio.run(_explain_damaged_blocks(*late_trace))


async def _explain_damaged_blocks(service: Service, trace_id: str) -> None:
    async with await AsyncConnection.connect(service.settings.conninfo) as connection:
        found = await connection.execute("SELECT key, origin_ns FROM trace WHERE id = %s", (trace_id,))
        key, origin_ns = await found.fetchone() or (0, 0)
        await connection.execute("DELETE FROM latency_explanation WHERE trace_key = %s", (key,))
        await connection.execute("UPDATE event_block SET count = count + 1 WHERE trace_key = %s", (key,))
        await explain_worst_cases(connection, key, ImportSummary(format="text", origin_ns=origin_ns))
        # The transaction is still good, and nothing was explained.
        query = "SELECT count(*) FROM latency_explanation WHERE trace_key = %s"
        assert await (await connection.execute(query, (key,))).fetchone() == (0,)
        await connection.rollback()


def report_of(traced: tuple[Service, str], wanted: str, **parameters: str) -> str:
    """The worst case in the form that `Accept` asks for."""
    service, trace_id = traced
    address = f"/api/v1/traces/{trace_id}/latencies/cyclic-1213@2563695109449"
    response = service.client.get(address, params=parameters, headers={"Accept": wanted})
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].startswith(wanted)
    assert "default-src 'none'" in response.headers["content-security-policy"]
    return response.text


def test_a_case_is_a_page_that_stands_alone(late_trace: tuple[Service, str]) -> None:
    page = report_of(late_trace, "text/html")
    case = case_of(*late_trace, "cyclic-1213@2563695109449")
    assert page.count("<svg") == 1
    assert "<script" not in page
    shown = html.unescape(re.sub(r"<[^>]*>", " ", page))
    for words in (SENTENCE, "cyclic of cyclictest-1213 on CPU 1, 18.55 µs (18,551 ns)", case.url):
        assert words in shown
    for link in case.why:
        assert link.sentence in shown
    for stage in case.stages:
        assert f"{stage.from_} → {stage.to}" in shown
    # The mail says nothing that the page does not.
    said = "".join(html.unescape(re.sub(r"<[^>]*>", "", page)).split())
    for line in report_of(late_trace, "text/plain").splitlines():
        assert "".join(line.rstrip(":").split()) in said


def parsed(picture: str) -> Element:
    return fromstring(picture)  # noqa: S314 (our own answer)


def test_a_ruler_is_a_picture_of_all_its_links(late_trace: tuple[Service, str]) -> None:
    root = parsed(report_of(late_trace, "image/svg+xml"))
    case = case_of(*late_trace, "cyclic-1213@2563695109449")
    space = "{http://www.w3.org/2000/svg}"
    assert root.findtext(f"{space}title") == SENTENCE
    tips = [one.text or "" for one in root.iterfind(f"{space}g/{space}title")]
    # Of each link and of each stage that took any time.
    lengths = [*(link.duration_ns for link in case.why), *(stage.duration_ns for stage in case.stages)]
    assert len(tips) == len([length for length in lengths if length > 0])
    widths = [float(one.get("width", "")) for one in root.iterfind(f"{space}g/{space}rect")]
    of_links = widths[: len([link for link in case.why if link.duration_ns > 0])]
    assert sum(of_links) == pytest.approx(1_200, abs=1)


def test_a_ruler_is_a_png_with_its_text(late_trace: tuple[Service, str]) -> None:
    service, trace_id = late_trace
    address = f"/api/v1/traces/{trace_id}/latencies/cyclic-1213@2563695109449"
    response = service.client.get(address, headers={"Accept": "image/png"})
    assert response.headers["content-type"] == "image/png"
    assert response.content.startswith(b"\x89PNG\r\n\x1a\n")
    svg = report_of(late_trace, "image/svg+xml")
    height = int(parsed(svg).get("height", ""))
    # IHDR: twice the picture.
    assert struct.unpack(">II", response.content[16:24]) == (2_400, 2 * height)
    # A font that cannot be read would leave the text out, without an error.
    assert len(response.content) > 2 * len(png(re.sub(r"<text.*?</text>", "", svg)))


def test_names_are_text_in_every_form(working_service: Service) -> None:
    evil = CYCLIC.replace(b"cyclictest", b"</g>&\x07\xe2\x80\xae")
    traced = working_service, working_service.ready(evil)
    assert "&lt;/g&gt;&amp;" in report_of(traced, "text/html")
    picture = report_of(traced, "image/svg+xml")
    assert parsed(picture).findtext("{http://www.w3.org/2000/svg}title", "").startswith("</g>&")
    mail = report_of(traced, "text/plain")
    assert all(char.isprintable() for line in mail.splitlines() for char in line)
    assert "\u202e" not in mail


def test_the_parameter_goes_before_the_header(late_trace: tuple[Service, str]) -> None:
    service, trace_id = late_trace
    address = f"/api/v1/traces/{trace_id}/latencies/cyclic-1213@2563695109449"
    kinds = {"json": "application/json", "text": "text/plain", "svg": "image/svg+xml", "png": "image/png"}
    for form, kind in kinds.items():
        response = service.client.get(address, params={"format": form}, headers={"Accept": "text/html"})
        assert response.headers["content-type"].startswith(kind)
    assert service.client.get(address, params={"format": "pdf"}).status_code == 422
