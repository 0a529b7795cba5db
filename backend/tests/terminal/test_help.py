"""`jitterscope --help`, and what is said of mistakes."""

import subprocess
import sys

import pytest
import typer

from jitterscope.cli import app
from jitterscope.terminal.command_line import COMMANDS
from jitterscope.terminal.help import RUNNING


def told(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "jitterscope", *arguments], capture_output=True, check=False, text=True
    )


def test_every_command_is_listed_with_what_it_does() -> None:
    listed = told("--help")
    assert listed.returncode == 0
    assert {*RUNNING} == {*typer.main.get_group(app).commands}
    for name, summary in {**COMMANDS, **RUNNING}.items():
        assert f"  {name} " in listed.stdout
        assert summary in listed.stdout
    assert max(map(len, listed.stdout.splitlines())) <= 100
    assert told("help").stdout == listed.stdout
    without = told()
    assert (without.returncode, without.stdout) == (2, listed.stdout)


@pytest.mark.parametrize("name", [*COMMANDS, *RUNNING])
def test_every_command_explains_itself(name: str) -> None:
    explained = told(name, "--help")
    assert explained.returncode == 0
    assert explained.stdout.lstrip().lower().startswith(f"usage: jitterscope {name}")
    assert "\x1b" not in explained.stdout
    assert told("help", name).stdout == explained.stdout


@pytest.mark.parametrize(
    ("arguments", "way_out"),
    [
        (["wy"], "did you mean why?"),
        (["nothing-like-it"], "jitterscope --help lists all"),
        (["wh\x1by"], "did you mean why?"),
        (["why"], "jitterscope why --help says what it takes"),
        (["why", "--top", "\x1b]0;x\x07", "a"], "jitterscope why --help says what it takes"),
    ],
)
def test_a_mistake_is_one_line_with_the_way_out(arguments: list[str], way_out: str) -> None:
    mistaken = told(*arguments)
    assert (mistaken.returncode, mistaken.stdout) == (2, "")
    assert mistaken.stderr.count("\n") == 1
    assert mistaken.stderr.startswith("jitterscope")
    assert mistaken.stderr.rstrip().endswith(way_out)
    assert "\x1b" not in mistaken.stderr


def test_the_version_is_that_of_the_package() -> None:
    assert told("--version").stdout.startswith("jitterscope 0.")


@pytest.mark.parametrize(
    ("file", "sentence"),
    [("/nowhere/a.dat", "No such file or directory"), ("/", "this is a folder; name the files in it")],
)
def test_a_file_that_is_none_is_one_line(file: str, sentence: str) -> None:
    refused = told("why", file)
    assert (refused.returncode, refused.stderr) == (1, f"jitterscope: {file}: {sentence}\n")
