"""Compares variants, each a group of traces of a service, by one measure."""

import argparse
import json
from collections.abc import Iterator

from jitterscope.reports.times import value_text
from jitterscope.terminal.answers import Failures
from jitterscope.terminal.picture import add_pictures, picture_form, write_png
from jitterscope.terminal.recording import Item
from jitterscope.terminal.server import Server, add_server, server_of
from jitterscope.terminal.table import table
from jitterscope.terminal.text import lines_of, plain, titled_list
from jitterscope.terminal.variants import add_measure, comparison_of

_STATS = ("mean_ns", "p50_ns", "p99_ns", "p99_9_ns", "max_ns")
_HEADS = ("", "traces", "samples", "mean", "p50", "p99", "p99.9", "max")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_measure(parser)
    parser.add_argument("--save", metavar="NAME", help="save the comparison, and print its permalink")
    parser.add_argument("--note", default="", help="what else is to be said of a saved comparison")
    add_form(parser)
    add_server(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints the comparison. Returns the exit status."""
    failures = Failures()
    with failures.catch():
        server = server_of(arguments)
        comparison = comparison_of(arguments)
        print_comparison(server, arguments, comparison)
        if arguments.save:
            new = {"name": arguments.save, "note": arguments.note, "comparison": comparison}
            saved = server.send("POST", "/experiments", change=new)
            if not is_for_programs(arguments):
                print(f"\n{plain(saved['url'])}")
    return failures.status


def add_form(parser: argparse.ArgumentParser) -> None:
    """What is printed of a comparison."""
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print what REST answers")
    form.add_argument("--html", action="store_true", help="print it as one HTML page")
    add_pictures(form, "the percentile curves")


def is_for_programs(arguments: argparse.Namespace) -> bool:
    """Whether nothing else may be printed."""
    return bool(arguments.json or arguments.html or picture_form(arguments))


def print_comparison(server: Server, arguments: argparse.Namespace, comparison: object) -> None:
    """In the form that was chosen. Raises: ServerRefusal."""
    form = "html" if arguments.html else picture_form(arguments)
    if form is not None:
        report = server.report("/compare", form, comparison)
        write_png(report) if form == "png" else print(report.decode())
        return
    found = server.send("POST", "/compare", change=comparison)
    print(json.dumps(found, indent=2) if arguments.json else "\n".join(text_of(found)))


def text_of(found: Item) -> Iterator[str]:
    """Lines for a terminal: what differs in a sentence, the numbers of each variant, and doubts."""
    for sentence in found["sentences"] or [found["sentence"]]:
        yield from lines_of(sentence)
    yield ""
    rows = [
        [
            variant["name"],
            f"{variant['traces']:,}",
            f"{variant['samples']:,}",
            *(_number(variant[stat], found["unit"]) for stat in _STATS),
        ]
        for variant in found["variants"]
    ]
    yield from table(_HEADS, rows, left=1)
    yield from titled_list("What else differs", found["guard"])
    yield from titled_list("Notes", found["notes"])


def _number(number: int | None, unit: str) -> str:
    if number is None:
        return "-"
    return value_text(number, unit)
