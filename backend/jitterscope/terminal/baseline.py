"""Lists, shows, saves and deletes baselines of a service, which checks compare with."""

import argparse
import json

from jitterscope.terminal.answers import Failures
from jitterscope.terminal.recording import Item, Refusal
from jitterscope.terminal.saved import add_saved, list_saved, path_of_saved
from jitterscope.terminal.server import Server, server_of
from jitterscope.terminal.text import plain
from jitterscope.terminal.variants import add_where, members_of, where_of

_PATH = "/baselines"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_saved(parser, "baseline")
    parser.add_argument("--json", action="store_true", help="print what REST answers")
    parser.add_argument(
        "--save", metavar="TRACES", help="save under SLUG: TRACE,TRACE or all that have LABEL:VALUE"
    )
    parser.add_argument("--name", help="shown instead of the slug")
    parser.add_argument("--note", default="", help="what else is to be said of it")
    add_where(parser)


def run(arguments: argparse.Namespace) -> int:
    """Does what is asked for. Returns the exit status."""
    failures = Failures()
    with failures.catch():
        server = server_of(arguments)
        if arguments.delete:
            server.send("DELETE", path_of_saved(_PATH, arguments))
            print(plain(f"deleted {arguments.slug}"))
        elif arguments.save is not None:
            _show(_save(server, arguments), as_json=arguments.json)
        elif arguments.slug is None:
            list_saved(server, _PATH, as_json=arguments.json)
        else:
            _show(server.get(path_of_saved(_PATH, arguments)), as_json=arguments.json)
    return failures.status


def _save(server: Server, arguments: argparse.Namespace) -> Item:
    """Raises: Refusal."""
    if arguments.slug is None:
        raise Refusal("--save needs a SLUG, by which checks call the baseline")
    new = {
        "name": arguments.name or arguments.slug,
        "slug": arguments.slug,
        "note": arguments.note,
        "variant": members_of(arguments.save),
        "where": where_of(arguments),
    }
    return server.send("POST", _PATH, change=new)


def _show(baseline: Item, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(baseline, indent=2))
        return
    count, variant = baseline["trace_count"], baseline["variant"]
    labels = [f"{name}:{value}" for name, value in variant["labels"].items()]
    print(plain(f"{baseline['slug']}: {baseline['name']}"))
    print(plain(f"  {count:,} trace{'' if count == 1 else 's'}: {', '.join(labels or variant['traces'])}"))
    if baseline["missing"]:
        print(plain(f"  no longer there: {', '.join(baseline['missing'])}"))
