"""What a recording lost is said by every command that reads it, and listed by `jitterscope warnings`."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from jitterscope.run.samples import SAMPLES, Sample, list_samples
from jitterscope.terminal.command_line import run_command
from jitterscope.terminal.recording import read_recording
from tests.api.service import Service

WHOLE = SAMPLES / "cyclictest-worst-case-annotated.txt"


@pytest.fixture
def cut(tmp_path: Path) -> Path:
    """A recording whose last line was cut in the middle, behind one that is no line of a trace."""
    lines = WHOLE.read_bytes().splitlines(keepends=True)
    path = tmp_path / "cut.txt"
    path.write_bytes(b"".join([*lines[:-1], b"no line of a trace \x1b[2J\n", lines[-1][:20]]))
    return path


@pytest.mark.parametrize("sample", [*list_samples()], ids=lambda sample: sample.path.name)
def test_every_warning_of_a_sample_is_that_of_rest(sample: Sample, service: Service) -> None:
    trace = f"/api/v1/traces/{service.ready(sample.path.read_bytes(), sample.path.name)}"
    assert read_recording(str(sample.path)).warnings == service.client.get(trace).json()["warnings"]


@pytest.mark.parametrize(
    "command",
    [
        ["why"],
        ["why", "--json"],
        ["why", "--html"],
        ["stats"],
        ["events"],
        ["diff", "--kind", "cyclic"],
        ["convert", "--to", "ftrace"],
    ],
    ids=" ".join,
)
def test_every_command_says_what_was_lost(
    command: Sequence[str], cut: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    name, *options = command
    run_command(name, [*options, str(cut)])
    said = capfd.readouterr().err.splitlines()
    assert any("cut.txt: line" in line and "within a line" in line for line in said), said
    run_command(name, [*options, str(WHOLE)])
    assert "cut.txt" not in capfd.readouterr().err


def test_a_gate_says_it_too(cut: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text('[[check]]\nkind = "cyclic"\nstat = "max"\nop = "<="\nvalue = "1s"\n')
    run_command("check", ["--json", str(rules), str(cut)])
    told = capsys.readouterr()
    assert "within a line" in told.err
    assert "truncated_last_line" in [warning["code"] for warning in json.loads(told.out)["warnings"]]


def test_warnings_are_listed_with_place_text_and_way_out(
    cut: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command("warnings", [str(cut)]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert "(truncated_last_line)" in told.out
    # Text of the file is only text, whatever a terminal would make of it.
    assert r"no line of a trace \x1b[2J" in told.out
    assert run_command("warnings", ["--json", str(cut)]) == 0
    [unparsed] = [
        one for one in json.loads(capsys.readouterr().out)["items"] if one["code"] == "unparsed_lines"
    ]
    assert unparsed["count"] == 1
    assert unparsed["first_line"] == len(WHOLE.read_bytes().splitlines())
