"""Lists, shows and deletes saved comparisons of a service; `jitterscope compare --save` saves one."""

import argparse
import json

from jitterscope.terminal.answers import Failures
from jitterscope.terminal.compare import add_form, is_for_programs, print_comparison
from jitterscope.terminal.saved import add_saved, list_saved, path_of_saved
from jitterscope.terminal.server import server_of
from jitterscope.terminal.text import plain

_PATH = "/experiments"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_saved(parser, "comparison")
    add_form(parser)


def run(arguments: argparse.Namespace) -> int:
    """Does what is asked for. Returns the exit status."""
    failures = Failures()
    with failures.catch():
        server = server_of(arguments)
        if arguments.delete:
            path = path_of_saved(_PATH, arguments)
            server.send("DELETE", path)
            print(plain(f"deleted {arguments.slug}"))
        elif arguments.slug is None:
            list_saved(server, _PATH, as_json=arguments.json)
        else:
            saved = server.get(path_of_saved(_PATH, arguments))
            if arguments.json:
                found = server.send("POST", "/compare", change=saved["comparison"])
                print(json.dumps({"experiment": saved, "answer": found}, indent=2))
                return failures.status
            if not is_for_programs(arguments):
                print("\n".join([plain(saved["name"]), plain(saved["url"]), ""]))
            print_comparison(server, arguments, saved["comparison"])
    return failures.status
