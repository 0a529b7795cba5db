"""Deletes traces of a service, with all that came from them."""

import argparse
import sys

from jitterscope.terminal.answers import Failures
from jitterscope.terminal.recording import Refusal
from jitterscope.terminal.server import add_server, path_of, server_of
from jitterscope.terminal.text import plain


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("traces", nargs="+", metavar="TRACE", help="ids or permalinks")
    parser.add_argument("--yes", action="store_true", help="do not ask; required without a terminal")
    add_server(parser)


def run(arguments: argparse.Namespace) -> int:
    """Deletes each trace once that is confirmed. Returns the exit status."""
    failures = Failures()
    with failures.catch():
        server = server_of(arguments)
        for trace in arguments.traces:
            with failures.catch():
                found = server.get(path_of(trace))
                if arguments.yes or _is_confirmed(found["name"]):
                    server.send("DELETE", path_of(trace))
                    print(plain(f"deleted {found['id']} {found['name']}"))
    return failures.status


def _is_confirmed(name: str) -> bool:
    """Raises: Refusal where there is no terminal to ask at."""
    if not sys.stdin.isatty():
        raise Refusal(f"{name} was not deleted: there is no terminal to ask at; give --yes")
    return input(plain(f"Delete {name} and all that came from it? [y/N] ")).strip().lower() in {"y", "yes"}
