"""Labels a trace of a service."""

import argparse

from jitterscope.terminal.answers import Failures
from jitterscope.terminal.server import add_server, labels_of, path_of, server_of
from jitterscope.terminal.text import plain


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("trace", metavar="TRACE", help="id or permalink")
    parser.add_argument("labels", nargs="+", metavar="NAME=VALUE", help="NAME= removes the label")
    add_server(parser)


def run(arguments: argparse.Namespace) -> int:
    """Sets and removes labels, and prints those that the trace has now. Returns the exit status."""
    failures = Failures()
    with failures.catch():
        change = {"labels": labels_of(arguments.labels)}
        trace = server_of(arguments).send("PATCH", path_of(arguments.trace), change=change)
        for name, value in sorted(trace["labels"].items()):
            print(plain(f"{name}={value}"))
    return failures.status
