"""Lists, shows and deletes saved comparisons of a service; `jitterscope compare --save` saves one."""

import argparse
import json

from jitterscope.terminal.answers import Failures
from jitterscope.terminal.compare import text_of
from jitterscope.terminal.saved import add_saved, list_saved, path_of_saved
from jitterscope.terminal.server import server_of
from jitterscope.terminal.text import plain

_PATH = "/experiments"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_saved(parser, "comparison")


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
            found = server.send("POST", "/compare", change=saved["comparison"])
            if arguments.json:
                print(json.dumps({"experiment": saved, "answer": found}, indent=2))
            else:
                print("\n".join([plain(saved["name"]), plain(saved["url"]), "", *text_of(found)]))
    return failures.status
