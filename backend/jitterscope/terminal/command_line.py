"""The commands of a terminal, each a module here with `add_arguments` and `run`; most need no server.

Not by Typer as the others: that takes longer to load than a small recording takes to be explained.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import NoReturn

from jitterscope.terminal.text import plain, terminal_width

# What each does, for lists of commands: first those that need no service.
RECORDINGS: Mapping[str, str] = {
    "why": "Say why the worst cases of recordings were late.",
    "check": "Check latencies of recordings against limits.",
    "stats": "Print statistics of the latencies of recordings.",
    "events": "Print the events of a recording that a filter lets through.",
    "diff": "Compare an abnormal latency or call with a normal one.",
    "warnings": "Print what was wrong with recordings, or odd in them.",
    "convert": "Convert a recording to the format of another tool.",
    "record": "Record a command, and upload the recording if it was late.",
}
SERVICE: Mapping[str, str] = {
    "upload": "Upload recordings to a service, and print their permalinks.",
    "traces": "List the traces of a service.",
    "open": "Open a trace of a service in the browser.",
    "label": "Label a trace of a service.",
    "delete": "Delete traces of a service.",
    "compare": "Compare groups of traces of a service.",
    "experiment": "List, show and delete saved comparisons of a service.",
    "baseline": "List, show, save and delete baselines of a service.",
}
COMMANDS: Mapping[str, str] = {**RECORDINGS, **SERVICE}

# Columns of a help that no terminal shows, and those left free, as argparse has them.
_FILE_WIDTH = 80
_MARGIN = 2

# As a shell has it for a program that Ctrl-C ended.
_INTERRUPTED = 130


def run_command(name: str, arguments: Sequence[str]) -> int:
    """Does what a person asks for. Returns the exit status; a mistake in the arguments exits with 2."""
    module, parser = _module_of(name), parser_of(name)
    # Only a command that takes another command has a way of its own.
    parsed = module.parse(parser, arguments) if hasattr(module, "parse") else parser.parse_args(arguments)
    try:
        status: int = module.run(parsed)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        # The reader has seen enough. What is left would only fail again when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


def parser_of(name: str) -> argparse.ArgumentParser:
    """What a command takes."""
    module = _module_of(name)
    about = module.__doc__
    parser = _Parser(f"jitterscope {name}", description=about, allow_abbrev=False, formatter_class=_Formatter)
    module.add_arguments(parser)
    return parser


class _Formatter(argparse.HelpFormatter):
    """As wide as argparse's own, which is made for every option, and loads decompressors for its width."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=(terminal_width() or _FILE_WIDTH) - _MARGIN)


class _Parser(argparse.ArgumentParser):
    """Says a mistake in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {plain(message)}; {self.prog} --help says what it takes\n")


def _module_of(name: str) -> ModuleType:
    return importlib.import_module(f"jitterscope.terminal.{name}")
