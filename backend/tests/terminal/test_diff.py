"""`jitterscope diff` answers as REST does, within a recording and between two."""

import json
import re
from pathlib import Path

import pytest

from jitterscope.run.samples import SAMPLES, Sample, list_samples
from jitterscope.terminal.command_line import run_command
from jitterscope.terminal.diff import Side, diff
from jitterscope.terminal.recording import Recordings
from tests.api.service import Service
from tests.terminal.conftest import without_links

LOADED = str(SAMPLES / "cyclictest-load-6.12-rt.txt.zst")
ABNORMAL = SAMPLES / "timer-interrupt-abnormal-annotated.txt"
NORMAL = SAMPLES / "timer-interrupt-normal.txt"


def without_traces(answer: object) -> object:
    """An answer without what names its traces; a service shows names without their endings."""
    if isinstance(answer, dict):
        names = {"trace", "trace_name"}
        return {name: without_traces(value) for name, value in answer.items() if name not in names}
    if isinstance(answer, str):
        return re.sub(r"^(trace\d|[a-z2-7]{12})/", "trace/", answer)
    return [without_traces(one) for one in answer] if isinstance(answer, list) else answer


@pytest.mark.parametrize("sample", [*list_samples()], ids=lambda sample: sample.path.name)
def test_the_worst_of_every_sample_is_compared_as_by_rest(sample: Sample, service: Service) -> None:
    trace_id = service.ready(sample.path.read_bytes(), sample.path.name)
    kinds = service.client.get(f"/api/v1/traces/{trace_id}/latencies/kinds").json()["items"]
    kind = next(one for one in kinds if one["count"])
    rest = service.client.get("/api/v1/diff", params={"abnormal": f"{trace_id}/{kind['worst']['id']}"})
    if rest.status_code == 404:
        # There is nothing that it could be compared with, which is told.
        assert run_command("diff", [str(sample.path)]) == 1
        return
    found = diff(Side(str(sample.path), None), None, None, None, Recordings())
    assert without_traces(without_links(found)) == without_traces(without_links(rest.json()))


@pytest.mark.parametrize(
    ("abnormal", "normal"),
    [
        ((ABNORMAL, "call-cpu1@0.0"), (NORMAL, "call-cpu1@0.0")),
        (
            (SAMPLES / "cyclictest-load-6.12-rt.txt.zst", "cases:wakeup;cpu=1"),
            (SAMPLES / "cyclictest-6.12-rt.dat", None),
        ),
    ],
)
def test_two_recordings_are_compared_as_by_rest(
    abnormal: tuple[Path, str], normal: tuple[Path, str | None], service: Service
) -> None:
    ids = [service.ready(file.read_bytes(), file.name) for file, _ in (abnormal, normal)]
    sides = {"abnormal": f"{ids[0]}/{abnormal[1]}", "normal": f"{ids[1]}/{normal[1] or 'auto'}"}
    rest = service.client.get("/api/v1/diff", params=sides)
    assert rest.status_code == 200
    found = diff(
        Side(str(abnormal[0]), abnormal[1]), Side(str(normal[0]), normal[1]), None, None, Recordings()
    )
    assert without_traces(without_links(found)) == without_traces(without_links(rest.json()))


def test_the_difference_is_said_in_text_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command("diff", ["--kind", "wakeup", "--task", "cyclictest", LOADED]) == 0
    text = capsys.readouterr().out
    assert run_command("diff", ["--json", "--kind", "wakeup", "--task", "cyclictest", LOADED]) == 0
    found = json.loads(capsys.readouterr().out)
    assert text.splitlines()[0] == found["summary"]
    assert "Causes:" in text
    side = f"{LOADED}#{found['normal']['id']}"
    assert run_command("diff", [f"{LOADED}#{found['abnormal']['id']}", side]) == 0
    assert capsys.readouterr().out.splitlines()[0].split(":")[0] == found["summary"].split(":")[0]


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("a.dat", ("a.dat", None)),
        ("a.dat#wakeup-1@5", ("a.dat", "wakeup-1@5")),
        ("run#3.dat#cases:wakeup;cpu=1", ("run#3.dat", "cases:wakeup;cpu=1")),
        ("run#", ("run", None)),
    ],
)
def test_a_side_is_a_file_and_what_is_in_it(text: str, side: tuple[str, str | None]) -> None:
    assert Side.parse(text) == side


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([f"{LOADED}#wakeup-1@5"], "There is no case"),
        ([f"{LOADED}#nonsense"], 'There is no case "nonsense" in the trace "cyclictest-load'),
        ([LOADED, "/there/is/none"], "No such file"),
        (["--kind", "call", str(ABNORMAL), LOADED], 'in the trace "cyclictest-load-6.12-rt.txt.zst"'),
    ],
)
def test_what_cannot_be_compared_is_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command("diff", arguments) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("jitterscope: ")
    assert said in line


def test_names_are_text_and_no_terminal_codes(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    evil = tmp_path / "\x1b[31mred.txt"
    evil.write_bytes(
        (SAMPLES / "cyclictest-worst-case-annotated.txt")
        .read_bytes()
        .replace(b"cyclictest", b"\x1b]0;gotcha")
    )
    run_command("diff", [str(evil)])
    told = capsysbinary.readouterr()
    assert b"\x1b" not in told.out + told.err


def test_the_page_is_that_of_rest(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    trace_id = service.ready(Path(LOADED).read_bytes(), Path(LOADED).name)
    items = service.client.get(f"/api/v1/traces/{trace_id}/latencies", params={"kind": "wakeup", "limit": 1})
    case = items.json()["items"][0]["id"]
    rest = service.client.get("/api/v1/diff", params={"abnormal": f"{trace_id}/{case}", "format": "html"})
    assert run_command("diff", ["--html", f"{LOADED}#{case}"]) == 0
    # Another test may have uploaded the same recording under a name of its own.
    name = service.client.get(f"/api/v1/traces/{trace_id}").json()["name"]
    page = capsys.readouterr().out.replace(Path(LOADED).name, name)
    assert without_anchors(page) == without_anchors(rest.text)


def test_the_picture_is_that_of_rest(service: Service, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    trace_id = service.ready(Path(LOADED).read_bytes(), Path(LOADED).name)
    items = service.client.get(f"/api/v1/traces/{trace_id}/latencies", params={"kind": "wakeup", "limit": 1})
    case = items.json()["items"][0]["id"]
    for form, end in (("svg", b"\n"), ("png", b"")):
        rest = service.client.get("/api/v1/diff", params={"abnormal": f"{trace_id}/{case}", "format": form})
        assert run_command("diff", [f"--{form}", f"{LOADED}#{case}"]) == 0
        assert capsysbinary.readouterr().out == rest.content + end


def without_anchors(page: str) -> str:
    """A page without what only a server can link to."""
    page = re.sub("<footer>.*?</footer>", "", page)
    return re.sub("</?(?:a|span)(?: href=[^>]*)?>", "", page).strip()
