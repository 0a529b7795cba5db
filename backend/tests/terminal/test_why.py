"""`jitterscope why` says what REST says of the same recording, and needs neither server nor database."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest

from jitterscope import _ftrace
from jitterscope.reports.png import png
from jitterscope.run.samples import SAMPLES, Sample, list_samples
from jitterscope.terminal.command_line import run_command
from jitterscope.terminal.kinds import NothingMeasured
from jitterscope.terminal.recording import UnreadableFile, read_recording
from jitterscope.terminal.why import Selection, why
from tests.api.service import Service
from tests.terminal.conftest import without_links

LATE = SAMPLES / "cyclictest-worst-case-annotated.txt"
LOADED = str(SAMPLES / "cyclictest-load-6.12-rt.txt.zst")


@pytest.mark.parametrize("sample", [*list_samples()], ids=lambda sample: sample.path.name)
def test_every_sample_is_explained_as_by_rest(sample: Sample, service: Service) -> None:
    trace = f"/api/v1/traces/{service.ready(sample.path.read_bytes(), sample.path.name)}"
    of_rest = service.client.get(f"{trace}/latencies/kinds").json()["items"]
    recording = read_recording(str(sample.path))
    present = [kind["kind"] for kind in of_rest if kind["count"]]
    assert present
    for kind in present:
        found = why(recording, Selection(kind=kind, top=2))
        [of_kind] = [one for one in of_rest if one["kind"] == kind]
        assert without_links(found.kinds) == [without_links(of_kind)]
        for case in found.cases:
            rest = service.client.get(f"{trace}/latencies/{quote(case['id'])}").json()
            assert without_links(case) == without_links(rest)
        listed = service.client.get(f"{trace}/latencies", params={"kind": kind, "sort": "worst", "limit": 2})
        assert [case["id"] for case in found.cases] == [item["id"] for item in listed.json()["items"]]


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The command as a person runs it, without any setting of a service."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("JITTER", "DATABASE"))}
    command = [sys.executable, "-m", "jitterscope", "why", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, env=clean, check=False)


def test_a_file_or_standard_input_is_explained_in_text() -> None:
    by_name, by_pipe = run(str(LATE)), run("-", stdin=LATE.read_bytes())
    assert (by_name.returncode, by_pipe.returncode) == (0, 0), by_name.stderr
    lines = by_name.stdout.decode().splitlines()
    assert lines[1:] == by_pipe.stdout.decode().splitlines()[1:]
    assert any("█" in line for line in lines)
    assert any(line.startswith("cyclictest-1213 on CPU 1 woke") for line in lines)


def test_json_has_what_rest_has(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command("why", ["--kind", "cyclic", "--json", str(LATE)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [kind["kind"] for kind in answer["kinds"]] == ["cyclic"]
    assert answer["cases"][0]["headline"] == answer["kinds"][0]["worst"]["headline"]


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"\x7fELF nothing of the kind", "reads. Use trace.dat"), (b"", "empty"), (None, "No such file")],
)
def test_what_cannot_be_read_is_one_line(content: bytes | None, said: str, tmp_path: Path) -> None:
    path = tmp_path / "x.dat"
    if content is not None:
        path.write_bytes(content)
    ended = run(str(path), str(LATE))
    # The other file is explained all the same.
    assert ended.returncode == 1
    assert "cyclictest-1213" in ended.stdout.decode()
    [line] = ended.stderr.decode().splitlines()
    assert line.startswith(("jitterscope: x.dat", f"jitterscope: {path}"))
    assert said.lower() in line.lower()


def test_kinds_and_tasks_that_are_not_there_are_named() -> None:
    recording = read_recording(str(LATE))
    with pytest.raises(NothingMeasured, match="there is no hwlat latency; this recording has cyclic"):
        why(recording, Selection(kind="hwlat"))
    with pytest.raises(NothingMeasured, match="'late' is no kind of latency; there are cyclic"):
        why(recording, Selection(kind="late"))
    with pytest.raises(NothingMeasured, match=r"'nobody' has no .*; those that have one: .*cyclictest-"):
        why(recording, Selection(task="nobody"))
    with pytest.raises(NothingMeasured, match="'cyclictest-1' has no cyclic latency"):
        why(recording, Selection(kind="cyclic", task="cyclictest-1"))


def test_a_task_is_named_as_sentences_name_it(tmp_path: Path) -> None:
    recording = read_recording(str(LATE))
    cases = [why(recording, Selection(task=task)).cases for task in ("cyclictest", "1213", "cyclictest-1213")]
    assert cases[0] == cases[1] == cases[2]
    # A name may look like one with a pid.
    path = tmp_path / "numbered.txt"
    path.write_bytes(LATE.read_bytes().replace(b"cyclictest", b"worker-1"))
    assert "worker-1-1213" in why(read_recording(str(path)), Selection(task="worker-1")).cases[0]["headline"]


def test_names_are_text_and_no_terminal_codes(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    evil = LATE.read_bytes().replace(b"cyclictest", b"\x1b]0;gotcha")
    path = tmp_path / "\x1b[31mred.txt"
    path.write_bytes(evil)
    run_command("why", ["--top", "3", str(path)])
    run_command("why", ["--top", "3", "--json", str(path)])
    told = capsysbinary.readouterr()
    assert b"gotcha" in told.out
    assert b"\x1b" not in told.out + told.err


def test_a_reader_that_is_gone_is_no_traceback() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "jitterscope", "why", str(LATE)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        command.stdout.close()
        assert b"Traceback" not in command.stderr.read()


def test_the_core_refuses_what_means_nothing() -> None:
    recording = read_recording(str(LATE))
    with pytest.raises(_ftrace.RequestError):
        recording.ask("latencies", {"kind": "cyclic", "limit": 0})


def test_a_broken_pipe_of_bytes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"no recording at all\n")))
    with pytest.raises(UnreadableFile, match="standard input"):
        read_recording("-")


def test_nothing_is_loaded_that_takes_longer_than_the_answer() -> None:
    """Each of these takes as long to load as a small recording takes to be explained."""
    code = f"""
import sys
from jitterscope.terminal.command_line import run_command
run_command("why", [{str(LATE)!r}])
slow = "typer click pydantic fastapi sqlalchemy numpy asyncio subprocess inspect pathlib tempfile".split()
print([one for one in slow if one in sys.modules], file=sys.stderr)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert ended.stderr == "[]\n"


def test_the_page_is_that_of_rest(service: Service) -> None:
    trace_id = service.ready(LATE.read_bytes(), LATE.name)
    told = run("--html", str(LATE))
    assert told.returncode == 0, told.stderr
    case = "cyclic-1213@2563695109449"
    of_rest = service.client.get(f"/api/v1/traces/{trace_id}/latencies/{case}", params={"format": "html"})
    # Only the link to the service differs, which shows names without their endings.
    page = told.stdout.decode().replace(LATE.name, LATE.stem)
    assert page.partition("<footer>")[0] == of_rest.text.partition("<footer>")[0]
    assert "<a " not in page


def test_a_page_has_the_cases_of_all_files_and_a_picture_the_worst(tmp_path: Path) -> None:
    page = run("--html", "--top", "2", "--kind", "wakeup", str(LATE), str(tmp_path / "none"), LOADED)
    assert page.returncode == 1
    assert b"none: No such file" in page.stderr
    sentences = re.findall("<h1>(.*?)</h1>", page.stdout.decode())
    assert len(sentences) == 3
    picture = run("--svg", "--kind", "wakeup", str(LATE), LOADED)
    assert f"<title>{sentences[1]}</title>" in picture.stdout.decode()
    dots = run("--png", "--kind", "wakeup", str(LATE), LOADED)
    assert dots.stdout == png(picture.stdout.decode().rstrip("\n"))


def test_what_a_report_is_made_of_adds_up() -> None:
    told = run(str(SAMPLES / "irqsoff-6.12.txt")).stdout.decode()
    rows = re.findall(r"^ +([0-9.]+) µs +[0-9.]+ %  (.*)$", told, re.MULTILINE)
    assert len(rows) == 6
    assert all(what.endswith(" (dd-191)") for _, what in rows[:5])
    assert re.fullmatch(r"\d+ more rows", rows[5][1])
    assert sum(float(time) for time, _ in rows) == 139.0
