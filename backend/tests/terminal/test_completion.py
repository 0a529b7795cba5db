"""The scripts for shells know every command and option, and cost `why` nothing."""

import re
import shlex
import subprocess
import sys
from functools import cache

import pytest
from typer.testing import CliRunner

from jitterscope.cli import app
from jitterscope.terminal.command_line import COMMANDS
from jitterscope.terminal.completion import SHELLS


@cache
def script(shell: str) -> str:
    ended = CliRunner().invoke(app, ["completion", shell])
    assert ended.exit_code == 0, ended.output
    return ended.output


def completed(*words: str) -> list[str]:
    """What bash offers for the last of these words."""
    asked = " ".join(f"'{word}'" for word in words)
    call = f"COMP_WORDS=(jitterscope {asked}); COMP_CWORD={len(words)}; _jitterscope"
    text = f'{script("bash")}\n{call}\nprintf "%s\\n" "${{COMPREPLY[@]}}"'
    ended = subprocess.run(["bash", "-uc", text], capture_output=True, text=True, check=True)
    assert ended.stderr == ""
    return ended.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["wh"], ["why"]),
        (["comp"], ["compare", "completion"]),
        (["why", "--k"], ["--kind"]),
        (["convert", "--to", "f"], ["ftrace", "folded"]),
        (["convert", "--list", ""], ["events", "latencies", "functions", "calls"]),
        (["check", "--format", "gi"], ["github"]),
        (["completion", "z"], ["zsh"]),
        (["backup", "--k"], ["--keep"]),
    ],
)
def test_bash_offers_commands_options_and_values(words: list[str], offered: list[str]) -> None:
    assert completed(*words) == offered


def test_bash_offers_files_where_files_are_meant(tmp_path: object) -> None:
    assert completed("why", f"{tmp_path}/no such") == []
    assert "/dev/null" in completed("why", "/dev/nul")


@pytest.mark.parametrize("shell", [*SHELLS])
def test_every_command_and_option_is_in_every_script(shell: str) -> None:
    told = script(shell)
    for name in [*COMMANDS, "run", "worker", "backup", "completion"]:
        assert re.search(rf"\b{name}\b", told), name
    for option in ("no-upload", "from-ns", "samples"):
        assert option in told
    # Words of helps are quoted, whatever is in them.
    assert shlex.split(told)


def test_an_unknown_shell_is_refused() -> None:
    ended = CliRunner().invoke(app, ["completion", "powershell"])
    assert ended.exit_code == 2
    assert "bash, zsh, fish" in ended.output


def test_why_loads_nothing_of_it() -> None:
    loads = "import sys, jitterscope.terminal.why; print('jitterscope.terminal.completion' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", loads], text=True) == "False\n"
