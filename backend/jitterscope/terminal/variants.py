"""Groups of traces of a service, as a command line names them."""

import argparse
from collections.abc import Mapping

from jitterscope.terminal.recording import Refusal
from jitterscope.terminal.server import trace_id_of

_FORM = "NAME=TRACE,TRACE or NAME=LABEL:VALUE,LABEL:VALUE"


def add_measure(parser: argparse.ArgumentParser) -> None:
    """What is measured, and of which variants."""
    parser.add_argument(
        "variants", nargs="+", metavar="VARIANT", help=f"{_FORM}; others are compared with the first"
    )
    measure = parser.add_mutually_exclusive_group(required=True)
    measure.add_argument("--kind", help="kind of latency, as wakeup")
    measure.add_argument("--field", help="field of an event that holds durations")
    measure.add_argument("--source", help="measurements of a program and thread")
    add_where(parser)


def add_where(parser: argparse.ArgumentParser) -> None:
    """Which samples are meant."""
    parser.add_argument("--cpu", type=int, metavar="N", help="only samples of this CPU")
    parser.add_argument("--task", metavar="NAME", help="only samples of tasks of this name")


def comparison_of(arguments: argparse.Namespace) -> Mapping[str, object]:
    """The comparison as REST takes it. Raises: Refusal."""
    measure = {name: getattr(arguments, name) for name in ("kind", "field", "source")}
    variants = []
    for text in arguments.variants:
        name, mark, members = text.partition("=")
        if not mark or not name:
            raise Refusal(f"{text!r} is no variant; write {_FORM}")
        variants.append({"name": name, **members_of(members)})
    return {
        "measure": {name: value for name, value in measure.items() if value is not None},
        "variants": variants,
        "where": where_of(arguments),
    }


def where_of(arguments: argparse.Namespace) -> Mapping[str, object]:
    where = {"cpu": arguments.cpu, "comm": arguments.task}
    return {name: value for name, value in where.items() if value is not None}


def members_of(text: str) -> Mapping[str, object]:
    """`gq3tqmzqmjrd,7hrkt6poljf7` or `board:rpi4,kernel:6.12-rt`; a trace by its id or its permalink.

    Raises: Refusal.
    """
    members = [member for member in text.split(",") if member]
    if not members:
        raise Refusal(f"{text!r} names no traces; write {_FORM.partition(' or ')[0]}")
    traces = [trace_id_of(member) for member in members]
    if all(":" not in trace for trace in traces):
        return {"traces": traces}
    if all(":" in trace for trace in traces):
        return {"labels": dict(trace.split(":", 1) for trace in traces)}
    raise Refusal(f"{text!r} mixes traces and labels")
