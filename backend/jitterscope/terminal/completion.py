"""Scripts that complete the command line in bash, zsh and fish.

They list every command and option, so that a key press starts no program.
"""

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple


class Option(NamedTuple):
    """An option of a command. `values` are all that it takes; empty for a file or anything else."""

    names: Sequence[str]
    summary: str
    takes_value: bool
    values: Sequence[str] = ()


class Command(NamedTuple):
    """A command. `words` are what its first argument may be; empty where that is a file or anything else."""

    summary: str
    options: Sequence[Option]
    words: Sequence[str] = ()


Commands = Mapping[str, Command]


def options_of(parser: argparse.ArgumentParser) -> Sequence[Option]:
    """The options that a command describes."""
    found = []
    for action in parser._actions:  # noqa: SLF001 (argparse has no other list of them)
        if action.option_strings:
            values = [str(choice) for choice in action.choices or ()]
            summary = "" if action.help in {None, argparse.SUPPRESS} else str(action.help)
            found.append(Option(action.option_strings, summary, action.nargs != 0, values))
    return found


def bash(commands: Commands) -> str:
    """For `source <(jitterscope completion bash)`."""
    cases = "\n".join(_bash_case(name, command) for name, command in commands.items())
    return f"""_jitterscope() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} options= values= words=
    COMPREPLY=()
    if [[ $COMP_CWORD -eq 1 ]]; then
        COMPREPLY=($(compgen -W '{" ".join(commands)}' -- "$word"))
        return
    fi
    case ${{COMP_WORDS[1]}} in
{cases}
    esac
    if [[ -n $values ]]; then
        COMPREPLY=($(compgen -W "$values" -- "$word"))
    elif [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    elif [[ -n $words ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$word"))
    else
        compopt -o filenames 2>/dev/null
        local IFS=$'\\n'
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}}
complete -F _jitterscope jitterscope"""


def _bash_case(name: str, command: Command) -> str:
    options = " ".join(one for option in command.options for one in option.names)
    lines = [f"    {name})", f"        options='{options}' words='{' '.join(command.words)}'"]
    with_values = [option for option in command.options if option.values]
    if with_values:
        lines += ["        case $before in", *map(_bash_values, with_values), "        esac"]
    return "\n".join([*lines, "        ;;"])


def _bash_values(option: Option) -> str:
    return f"            {'|'.join(option.names)}) values='{' '.join(option.values)}' ;;"


def zsh(commands: Commands) -> str:
    """For a file `_jitterscope` in a folder of `fpath`."""
    listed = "\n".join(f"        {_quoted(f'{name}:{one.summary}')}" for name, one in commands.items())
    cases = "\n".join(_zsh_case(name, command) for name, command in commands.items())
    return f"""#compdef jitterscope
_jitterscope() {{
    local -a commands=(
{listed}
    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    case $command in
{cases}
    esac
}}
compdef _jitterscope jitterscope"""


def _zsh_case(called: str, command: Command) -> str:
    specs: list[str] = []
    for option in command.options:
        summary = re.sub(r"([\[\]:\\])", r"\\\1", option.summary)
        value = f":value:{_zsh_words(option.values)}"
        described = f"[{summary}]{value if option.takes_value else ''}"
        specs += [_quoted(f"*{name}{described}") for name in option.names]
    specs.append(_quoted(f"*:argument:{_zsh_words(command.words)}"))
    joined = " \\\n            ".join(specs)
    return f"    {called})\n        _arguments \\\n            {joined}\n        ;;"


def _zsh_words(words: Sequence[str]) -> str:
    return f"({' '.join(words)})" if words else "_files"


def fish(commands: Commands) -> str:
    """For `jitterscope completion fish | source`."""
    lines = ["complete -c jitterscope -e"]
    for name, command in commands.items():
        summary = _quoted(command.summary)
        lines.append(f"complete -c jitterscope -n __fish_use_subcommand -f -a {name} -d {summary}")
        here = f"complete -c jitterscope -n '__fish_seen_subcommand_from {name}'"
        if command.words:
            lines.append(f"{here} -f -a '{' '.join(command.words)}'")
        for option in command.options:
            words = [f"-l {one[2:]}" if one.startswith("--") else f"-s {one[1:]}" for one in option.names]
            if option.values:
                words.append(f"-x -a '{' '.join(option.values)}'")
            elif option.takes_value:
                words.append("-r")
            lines.append(f"{here} {' '.join(words)} -d {_quoted(option.summary)}")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    """A word of any of the shells."""
    escaped = text.replace("'", "'\\''")
    return f"'{escaped}'"


SHELLS: Mapping[str, Callable[[Commands], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
