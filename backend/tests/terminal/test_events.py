"""`jitterscope events` prints the events of REST, in lines that can be read again."""

import json
from itertools import islice
from pathlib import Path

import pytest

from jitterscope.run.samples import SAMPLES, Sample, list_samples
from jitterscope.terminal.command_line import run_command
from jitterscope.terminal.events import events
from jitterscope.terminal.recording import read_recording
from tests.api.service import Service

LOADED = SAMPLES / "cyclictest-load-6.12-rt.txt.zst"
SWITCHES = "event:sched_switch cpu:1"


@pytest.mark.parametrize("sample", [*list_samples()], ids=lambda sample: sample.path.name)
def test_every_sample_has_the_events_of_rest(sample: Sample, service: Service) -> None:
    trace = f"/api/v1/traces/{service.ready(sample.path.read_bytes(), sample.path.name)}"
    recording = read_recording(str(sample.path))
    for wanted in ("", "event:sched_switch", "cpu:0 t>1us"):
        params = {"limit": 300} | ({"q": wanted} if wanted else {})
        rest = service.client.get(f"{trace}/events", params=params).json()["items"]
        assert [*islice(events(recording, wanted), len(rest))] == rest


def test_all_pages_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    recording = read_recording(str(LOADED))
    assert recording.known["event_count"] > 1_000
    assert run_command("events", [str(LOADED)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == recording.known["event_count"]
    assert run_command("events", ["--limit", "7", str(LOADED), SWITCHES]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 7


def test_the_lines_are_read_again_as_the_same_events(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command("events", [str(LOADED)]) == 0
    again = tmp_path / "again.txt"
    again.write_text(capsys.readouterr().out, "utf-8")
    for file in (LOADED, again):
        assert run_command("events", ["--json", "--limit", "5000", str(file), "event:sched_switch"]) == 0
    lines = capsys.readouterr().out.splitlines()
    first, second = lines[: len(lines) // 2], lines[len(lines) // 2 :]
    names = ("t", "cpu", "pid", "comm", "event", "args", "raw", "flags")
    assert len(first) > 100
    for one, other in zip(first, second, strict=True):
        before, after = (json.loads(line) for line in (one, other))
        assert {name: before[name] for name in names} == {name: after[name] for name in names}


def test_a_filter_that_means_nothing_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command("events", [str(LOADED), "cpu:x"]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("jitterscope: q: ")


def test_names_are_text_and_no_terminal_codes(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    evil = tmp_path / "evil.txt"
    text = (SAMPLES / "irqsoff-printk.txt").read_bytes()
    evil.write_bytes(text.replace(b"bash", b"\x1b[2J"))
    run_command("events", [str(evil)])
    run_command("events", ["--json", str(evil)])
    told = capsysbinary.readouterr()
    assert b"\x1b" not in told.out + told.err
