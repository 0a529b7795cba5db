"""What a service keeps under a name: comparisons and baselines."""

import argparse
import json
import urllib.parse

from jitterscope.terminal.recording import Item, Refusal
from jitterscope.terminal.server import Server, add_server
from jitterscope.terminal.table import table

_HEADS = ("slug", "name", "changed")
_MOST = 10_000


def add_saved(parser: argparse.ArgumentParser, what: str) -> None:
    """The options that all of them have; without a slug, they are listed."""
    parser.add_argument("slug", nargs="?", metavar="SLUG", help=f"one {what}; without it, all are listed")
    parser.add_argument("--delete", action="store_true", help="delete it; its traces stay")
    add_server(parser)


def path_of_saved(path: str, arguments: argparse.Namespace) -> str:
    """The path of the one that is meant. Raises: Refusal."""
    if arguments.slug is None:
        raise Refusal("name the one that is meant; without a name, all are listed")
    return f"{path}/{urllib.parse.quote(arguments.slug, safe='')}"


def list_saved(server: Server, path: str, *, as_json: bool) -> None:
    """Prints a line for each, the last changed first. Raises: ServerRefusal."""
    found = list(server.pages(path, {}, _MOST, page_items=200))
    if as_json:
        for one in found:
            print(json.dumps(one))
    elif found:
        print("\n".join(table(_HEADS, [_row(one) for one in found], left=len(_HEADS))))


def _row(saved: Item) -> list[str]:
    return [saved["slug"], saved["name"], saved["changed_at"][:10]]
