"""Opens a trace of a service in the browser."""

import argparse
import webbrowser

from jitterscope.terminal.answers import Failures
from jitterscope.terminal.server import add_server, path_of, server_of
from jitterscope.terminal.text import plain


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("trace", metavar="TRACE", help="id or permalink")
    parser.add_argument("--print", action="store_true", dest="is_printed", help="print the permalink only")
    add_server(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints the permalink, and opens it. Returns the exit status."""
    failures = Failures()
    with failures.catch():
        url = server_of(arguments).get(path_of(arguments.trace))["url"]
        print(plain(url), flush=True)
        if not arguments.is_printed:
            webbrowser.open(url)
    return failures.status
