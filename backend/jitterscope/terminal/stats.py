"""Prints statistics of the latencies of recordings: every kind, or one kind by CPU or task."""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from jitterscope.reports.times import duration_text
from jitterscope.terminal.answers import FILES, answer_each
from jitterscope.terminal.kinds import present_kinds, task_filter
from jitterscope.terminal.recording import Item, Recording
from jitterscope.terminal.table import table
from jitterscope.terminal.text import plain

# By the words of the command line; of tasks with one name, the pid distinguishes each.
_BY: Mapping[str, str] = {"cpu": "cpu", "task": "pid", "name": "comm", "key": "key"}
_NUMBERS = ("min", "mean", "p50", "p99", "p99_9", "max")
_HEADS = ("count", "min", "mean", "p50", "p99", "p99.9", "max")


class Selection(NamedTuple):
    """What of a recording is asked for."""

    kind: str | None = None
    task: str | None = None
    by: str | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help=FILES)
    parser.add_argument("--kind", help="kind of latency, as wakeup; without it, every kind there is")
    parser.add_argument("--task", help="only this task: its name, its pid, or name-pid")
    parser.add_argument("--by", choices=[*_BY], help="a line for each CPU, task, name of tasks, or key")
    parser.add_argument("--json", action="store_true", help="print a JSON object a recording, as REST has it")


def run(arguments: argparse.Namespace) -> int:
    """Prints the statistics of each file. Returns the exit status."""
    selection = Selection(arguments.kind, arguments.task, arguments.by)

    def lines_of(recording: Recording) -> Iterator[str]:
        found = stats(recording, selection)
        if arguments.json:
            return iter([_json_of(recording, found)])
        return _lines(recording, found, selection)

    return answer_each(arguments.files, lines_of, is_apart=not arguments.json)


def stats(recording: Recording, selection: Selection) -> Sequence[Item]:
    """For each kind what REST answers at `latencies/stats`.

    Raises: RequestError of the core for parameters that mean nothing, NothingMeasured.
    """
    tasks = task_filter(recording, selection.task)
    grouped = {} if selection.by is None else {"group_by": _BY[selection.by]}
    kinds = present_kinds(recording, selection.kind, tasks)
    return [recording.ask("latency_stats", {"kind": kind["kind"], **tasks, **grouped}) for kind in kinds]


def _json_of(recording: Recording, found: Sequence[Item]) -> str:
    answer = {"file": recording.name, "warnings": recording.warnings, "items": found}
    return json.dumps(answer, indent=2)


def _lines(recording: Recording, found: Sequence[Item], selection: Selection) -> Iterator[str]:
    yield plain(recording.name)
    heads = ["kind", *_HEADS] if selection.by is None else ["kind", selection.by, *_HEADS]
    rows = []
    for kind in found:
        for group in kind["groups"]:
            whose = [] if selection.by is None else [group["group"]["label"]]
            unit = _unit(recording, kind)
            numbers = [duration_text(group[f"{name}_ns"], unit) for name in _NUMBERS]
            rows.append([kind["kind"], *whose, f"{group['count']:,}", *numbers])
    yield from table(heads, rows, left=1 if selection.by is None else 2)


def _unit(recording: Recording, kind: Item) -> str:
    unit: str = recording.known["time_unit"] if kind["unit"] == "ns" else ""
    return unit
