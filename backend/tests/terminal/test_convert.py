"""`jitterscope convert` writes what REST exports, byte for byte."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from jitterscope import _ftrace
from jitterscope.run.samples import SAMPLES, Sample, list_samples
from jitterscope.terminal.command_line import run_command
from tests.api.service import Service

FORMATS = [entry["name"] for entry in json.loads(_ftrace.catalog())["exports"]]
LOADED = SAMPLES / "cyclictest-load-6.12-rt.txt.zst"
BREAK = SAMPLES / "cyclictest-break-6.12-rt.txt"
CALLS = SAMPLES / "timer-interrupt-6.12.txt.zst"
WINDOW = {"start": "10ms", "end": "20000000", "cpu": "1"}


def exported(service: Service, trace_id: str, **query: str) -> bytes:
    path = f"/api/v1/traces/{trace_id}/export"
    return service.client.get(path, params=query, headers={"Accept-Encoding": "identity"}).content


@pytest.mark.parametrize("sample", [*list_samples()], ids=lambda sample: sample.path.name)
def test_every_sample_is_converted_as_rest_exports_it(
    sample: Sample, service: Service, tmp_path: Path
) -> None:
    trace_id = service.ready(sample.path.read_bytes(), sample.path.name)
    output = tmp_path / "converted"
    for to in FORMATS:
        assert run_command("convert", [str(sample.path), "--to", to, "-o", str(output)]) == 0
        assert output.read_bytes() == exported(service, trace_id, format=to), to


def test_a_window_is_that_of_rest(service: Service, tmp_path: Path) -> None:
    trace_id = service.ready(LOADED.read_bytes(), LOADED.name)
    output = tmp_path / "window"
    expected = b""
    window = [f"--{name}={value}" for name, value in WINDOW.items()]
    for to in FORMATS:
        assert run_command("convert", [*window, "--to", to, str(LOADED), "-o", str(output)]) == 0
        expected = exported(service, trace_id, format=to, **WINDOW)
        assert output.read_bytes() == expected, to
    in_ns = ["--from-ns", "10000000", "--to-ns", "20000000", "--cpu", "1"]
    assert run_command("convert", [*in_ns, "--to", FORMATS[-1], str(LOADED), "-o", str(output)]) == 0
    assert output.read_bytes() == expected


@pytest.mark.parametrize(
    ("sample", "rows"), [(LOADED, "events"), (BREAK, "latencies"), (CALLS, "functions"), (CALLS, "calls")]
)
def test_lists_are_those_of_rest(service: Service, tmp_path: Path, sample: Path, rows: str) -> None:
    trace_id = service.ready(sample.read_bytes(), sample.name)
    output = tmp_path / "rows"
    for to in ("csv", "ndjson"):
        assert run_command("convert", [str(sample), "--to", to, "--list", rows, "-o", str(output)]) == 0
        answer = service.client.get(f"/api/v1/traces/{trace_id}/{rows}", params={"format": to})
        assert without_links(output.read_bytes()) == without_links(answer.content), to
        assert output.read_bytes().count(b"\n") > 40


def without_links(rows: bytes) -> bytes:
    """Only a service has permalinks."""
    return re.sub(rb"(?<=[\",])[^\",\r\n]*/cases/[^\",\r\n]*", b"", rows)


def test_a_list_of_a_whole_format_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    assert run_command("convert", [str(LOADED), "--to", "chrome", "--list", "calls", "-o", os.devnull]) == 1
    assert "--list is for csv" in capfd.readouterr().err


def test_it_works_in_a_pipe() -> None:
    command = [sys.executable, "-m", "jitterscope", "convert", "-", "--to", "ftrace"]
    text = subprocess.run(command, input=LOADED.read_bytes(), capture_output=True, check=True).stdout
    again = subprocess.run(command, input=text, capture_output=True, check=True).stdout
    assert again == text
    assert text.count(b"\n") > 54_000


def test_whoever_reads_may_stop_early() -> None:
    command = [sys.executable, "-m", "jitterscope", "convert", str(LOADED), "--to", "chrome"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.read(100)
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait() == 1


def test_what_cannot_be_converted_leaves_what_was_there(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "there"
    output.write_text("before")
    arguments = ["--to", "perfetto", "-o", str(output)]
    for wrong in ([str(tmp_path / "none")], [str(LOADED), "--start", "9ms", "--end", "1ms"], [__file__]):
        assert run_command("convert", [*wrong, *arguments]) == 1
        [line] = capfd.readouterr().err.splitlines()
        assert line.startswith("jitterscope: ")
    missing = str(tmp_path / "no folder" / "x")
    assert run_command("convert", [str(LOADED), "--to", "perfetto", "-o", missing]) == 1
    assert capfd.readouterr().err == f"jitterscope: {missing}: No such file or directory\n"
    assert (output.read_text(), [one.name for one in tmp_path.iterdir()]) == ("before", ["there"])
    assert run_command("convert", [str(LOADED), "--to", "folded", "-o", os.devnull]) == 0
