"""Prints the events of a recording that a filter lets through, as trace-cmd report would."""

import argparse
import json
from collections.abc import Iterator, Mapping
from itertools import islice

from jitterscope.terminal.answers import Failures, warn
from jitterscope.terminal.recording import Item, Recording, read_recording
from jitterscope.terminal.text import plain

# As many as one question answers.
_PAGE = 1_000
_NS = 1_000_000_000

# Flags as the kernel prints them: `trace_print_lat_fmt` in kernel/trace/trace_output.c, Linux 6.12.
_RESCHED: Mapping[tuple[bool, bool, bool], str] = {
    # need_resched, need_resched_lazy, preempt_resched
    (True, True, True): "B",
    (True, False, True): "N",
    (False, True, True): "L",
    (True, True, False): "b",
    (True, False, False): "n",
    (False, True, False): "l",
    (False, False, True): "p",
    (False, False, False): ".",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="recording of any format; - is standard input")
    parser.add_argument(
        "filter",
        nargs="?",
        default="",
        metavar="FILTER",
        help="as in the search box: 'event:sched_switch cpu:1'",
    )
    parser.add_argument("--limit", type=_limit, metavar="N", help="events to print; without it, all")
    parser.add_argument("--json", action="store_true", help="print a JSON object a line, as REST has it")


def run(arguments: argparse.Namespace) -> int:
    """Prints the events. Returns the exit status."""
    failures = Failures()
    with failures.catch():
        recording = warn(read_recording(arguments.file))
        for event in islice(events(recording, arguments.filter, arguments.limit), arguments.limit):
            print(json.dumps(event) if arguments.json else line_of(recording, event))
    return failures.status


def events(recording: Recording, wanted: str, limit: int | None = None) -> Iterator[Item]:
    """Events as REST has them, in the order of time; those of the pages that `limit` takes.

    Raises: RequestError of the core for a filter that means nothing.
    """
    request: dict[str, str | int] = {"limit": min(limit or _PAGE, _PAGE)}
    if wanted:
        request["q"] = wanted
    while True:
        page = recording.ask("events", request)
        yield from page["items"]
        if page["next"] is None:
            return
        request["cursor"] = page["next"]


def line_of(recording: Recording, event: Item) -> str:
    """`cyclictest-1213 [001] d..2. 14372.732649000: sched_switch:         prev_comm=…`"""
    comm = "<...>" if event["comm"] is None else event["comm"]
    pid = "" if event["pid"] is None else event["pid"]
    stamp = int(recording.known["origin_ns"]) + event["t"]
    seconds, rest = divmod(stamp, _NS)
    time = f"{seconds:5}.{rest:09}" if recording.known["time_unit"] == "ns" else f"{stamp}"
    flags = "" if event["flags"] is None else f"{_flags(event['flags'])} "
    name = f"{event['event']}:"
    return plain(f"{comm:>16}-{pid:<5} [{event['cpu']:03}] {flags}{time}: {name:<21} {event['raw']}").rstrip()


def _flags(flags: Item) -> str:
    off = {(True, True): "D", (True, False): "d", (False, True): "b", (False, False): "."}
    interrupts = off[flags["irqs_off"], flags["bh_off"]]
    resched = _RESCHED[flags["need_resched"], flags["need_resched_lazy"], flags["preempt_resched"]]
    hard, soft = flags["hardirq"], flags["softirq"]
    if flags["nmi"]:
        context = "Z" if hard else "z"
    elif hard:
        context = "H" if soft else "h"
    else:
        context = "s" if soft else "."
    depths = (flags["preempt_depth"], flags["migrate_disable_depth"])
    return "".join([interrupts, resched, context, *(f"{depth:x}" if depth else "." for depth in depths)])


def _limit(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of events; give 1 or more")
    return int(text)
