"""Lists the traces of a service."""

import argparse
import json
from typing import Any

from jitterscope.terminal.answers import Failures
from jitterscope.terminal.recording import Item
from jitterscope.terminal.server import add_server, server_of
from jitterscope.terminal.table import table

_HEADS = ("id", "name", "status", "kernel", "worst")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "search", nargs="*", metavar="WORD", help="in names, kernel, tracer or labels; all of them"
    )
    parser.add_argument(
        "--label", action="append", default=[], metavar="NAME:VALUE", help="or only a name; all of them"
    )
    parser.add_argument("--limit", type=int, default=50, metavar="N", help="traces to list; 50 by default")
    parser.add_argument("--json", action="store_true", help="print a line of JSON a trace, as REST has it")
    add_server(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints the traces, those uploaded last first. Returns the exit status."""
    failures = Failures()
    with failures.catch():
        parameters: dict[str, Any] = {"q": " ".join(arguments.search), "label": arguments.label}  # Any: texts
        found = server_of(arguments).pages("/traces", parameters, arguments.limit)
        if arguments.json:
            for trace in found:
                print(json.dumps(trace))
        elif rows := [_row(trace) for trace in found]:
            print("\n".join(table(_HEADS, rows, left=len(_HEADS))))
    return failures.status


def _row(trace: Item) -> list[str]:
    worst = trace["worst"] or {}
    return [trace["id"], trace["name"], trace["status"], trace["kernel"] or "", worst.get("headline") or ""]
