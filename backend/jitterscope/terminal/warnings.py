"""Prints what was wrong with recordings, or odd in them: what could not be read, and what was lost."""

import argparse
import json
from collections.abc import Iterator

from jitterscope.terminal.answers import FILES, answer_each, sentence_of
from jitterscope.terminal.recording import Item, Recording
from jitterscope.terminal.text import lines_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help=FILES)
    parser.add_argument("--json", action="store_true", help="print a JSON object a recording, as REST has it")


def run(arguments: argparse.Namespace) -> int:
    """Prints the warnings of each file. Returns the exit status, which is 0 for a file that could be read."""
    is_json = arguments.json
    return answer_each(arguments.files, _json_of if is_json else _text_of, is_apart=not is_json, warns=False)


def _json_of(recording: Recording) -> Iterator[str]:
    yield json.dumps({"file": recording.name, "items": recording.warnings}, indent=2)


def _text_of(recording: Recording) -> Iterator[str]:
    warnings = recording.warnings
    yield from lines_of(f"{recording.name}: {_count(len(warnings))}")
    for warning in warnings:
        yield ""
        yield from _about(warning)


def _count(count: int) -> str:
    return f"{count or 'no'} warning{'' if count == 1 else 's'}"


def _about(warning: Item) -> Iterator[str]:
    """The sentence, the text at the first place, the way out, and the code by which documents know it."""
    yield from lines_of(f"  {sentence_of(warning)}", 2)
    if warning["sample"]:
        yield from lines_of(f"    {warning['sample']}", 4)
    way_out = f"{warning['remedy']} " if warning["remedy"] else ""
    yield from lines_of(f"    {way_out}({warning['code']})", 4)
