"""`jitterscope diff` compares within a recording and between two."""

import json
from pathlib import Path

import pytest

from jitterscope.run.samples import SAMPLES
from jitterscope.terminal.command_line import run_command
from jitterscope.terminal.diff import Side

LOADED = str(SAMPLES / "cyclictest-load-6.12-rt.txt.zst")
ABNORMAL = SAMPLES / "timer-interrupt-abnormal-annotated.txt"


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
