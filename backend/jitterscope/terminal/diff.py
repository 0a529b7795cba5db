"""Compares an abnormal latency or call with a normal one, of the same recording or of two."""

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jitterscope import _ftrace
from jitterscope.reports.times import duration_text
from jitterscope.terminal.answers import Failures, warn
from jitterscope.terminal.kinds import NothingMeasured, present_kinds, task_filter
from jitterscope.terminal.picture import add_pictures, picture_form, write_picture
from jitterscope.terminal.recording import Item, Recording, Recordings, Refusal
from jitterscope.terminal.table import table
from jitterscope.terminal.text import lines_of, titled_list

_MOST_SENTENCES = 12
_MOST_PARTS = 8

_SIDE = (
    "recording, or FILE#CASE, FILE#CALL, or a group such as FILE#cases:wakeup;cpu=1 or FILE#calls:schedule"
)


class NothingLike(Refusal):
    """A side is not there, or the other has nothing like it."""


class Side(NamedTuple):
    """A file, and what of it is compared; `None` for what fits best."""

    file: str
    what: str | None

    @classmethod
    def parse(cls, text: str) -> "Side":
        """`trace.dat#wakeup-1213@2563695119000`. Names of files may hold a `#`, ids do not."""
        file, mark, what = text.rpartition("#")
        return cls(file, what) if mark and what else cls(text.removesuffix("#"), None)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("abnormal", metavar="ABNORMAL", help=f"{_SIDE}; of a recording, its worst case")
    parser.add_argument(
        "normal",
        nargs="?",
        metavar="NORMAL",
        help="the same; of a recording, or without it, the median of its like",
    )
    parser.add_argument("--kind", help="kind of latency of which the worst case is taken, as wakeup")
    parser.add_argument("--task", help="take the worst case of this task: its name, its pid, or name-pid")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object, as REST has it")
    form.add_argument("--html", action="store_true", help="print one HTML page, with both sides drawn")
    add_pictures(form, "both sides")


def run(arguments: argparse.Namespace) -> int:
    """Prints the comparison. Returns the exit status."""
    failures = Failures()
    with failures.catch():
        normal = None if arguments.normal is None else Side.parse(arguments.normal)
        recordings = Recordings()
        found = diff(Side.parse(arguments.abnormal), normal, arguments.kind, arguments.task, recordings)
        if arguments.html:
            print(_html(found, recordings))
        elif form := picture_form(arguments):
            write_picture(_svg(found), form)
        else:
            print(json.dumps(found, indent=2) if arguments.json else "\n".join(text_of(found)))
    return failures.status


def _html(found: Item, recordings: Recordings) -> str:
    # They take longer to load than small recordings to read.
    from jitterscope.reports.diff import diff_html  # noqa: PLC0415
    from jitterscope.reports.verdict import verdict_of  # noqa: PLC0415
    from jitterscope.schemas.diff import Diff  # noqa: PLC0415
    from jitterscope.schemas.latency_case import LatencyCase  # noqa: PLC0415

    verdicts = []
    if found["causes"]:
        for name in ("abnormal", "normal"):
            side = found[name]
            case = recordings.named(side["trace"]).ask("latency_case", {"case": side["id"]})
            verdicts.append((name, verdict_of(LatencyCase.model_validate(case))))
    return diff_html(Diff.model_validate(found), verdicts)


def _svg(found: Item) -> str:
    # As above.
    from jitterscope.reports.diff_charts import diff_svg  # noqa: PLC0415
    from jitterscope.schemas.diff import Diff  # noqa: PLC0415

    return diff_svg(Diff.model_validate(found))


def diff(
    abnormal: Side, normal: Side | None, kind: str | None, task: str | None, recordings: Recordings
) -> Item:
    """What REST answers at `diff`, of recordings that are read into `recordings`.

    Raises: RequestError for sides that mean nothing, NothingLike, NothingMeasured, UnreadableFile.
    """
    first = warn(recordings.read(abnormal.file))
    what = abnormal.what or _worst(first, kind, task)
    second = first
    if normal is not None and normal.file != abnormal.file:
        second = warn(recordings.read(normal.file))
    other = "auto" if normal is None else f"{second.id}/{normal.what or 'auto'}"
    try:
        return first.ask("diff", {"abnormal": f"{first.id}/{what}", "normal": other})
    except _ftrace.MissingError as error:
        sentence = str(error)
        for side in (first, second):
            sentence = sentence.replace(f'"{side.id}"', f'"{side.name}"')
        raise NothingLike(sentence) from error


def _worst(recording: Recording, kind: str | None, task: str | None) -> str:
    tasks = task_filter(recording, task)
    kinds = present_kinds(recording, kind, tasks)
    request = {"kind": kinds[0]["kind"], "sort": "worst", "limit": 1, **tasks}
    items: Sequence[Item] = recording.ask("latencies", request)["items"]
    if not items:
        raise NothingMeasured(f"{recording.name}: there is no case to compare")
    worst: str = items[0]["id"]
    return worst


def text_of(found: Item) -> Iterator[str]:
    """Lines for a terminal: the difference in one sentence, the sides, and what makes it up."""
    yield from lines_of(found["summary"])
    yield ""
    unit = found["unit"]
    sides = [(name, found[name]) for name in ("abnormal", "normal")]
    rows = [
        [name, duration_text(side["duration_ns"], unit), side["title"], side["trace_name"]]
        for name, side in sides
    ]
    yield from table(None, rows, left=4)
    doubts = [one["sentence"] for one in found["guard"] if one["is_doubtful"]]
    yield from titled_list("What makes the comparison doubtful", doubts, _MOST_SENTENCES)
    others = [one["sentence"] for one in found["guard"] if not one["is_doubtful"]]
    yield from titled_list("What else differs", others, _MOST_SENTENCES)
    yield from _times("Causes", found["causes"], unit)
    for title, name in (("Without a counterpart", "only_one_side"), ("Slower or faster", "slower")):
        sentences = [one["sentence"] for one in found["contributions"][name]]
        yield from titled_list(title, sentences, _MOST_SENTENCES)
    yield from titled_list("Notes", found["notes"], _MOST_SENTENCES)


def _times(title: str, causes: Sequence[Item], unit: str) -> Iterator[str]:
    rows = []
    for cause in causes:
        rows.append(_row(cause["cause"], cause, unit))
        rows += [_row(f"  {part['what']}", part, unit) for part in cause["parts"][:_MOST_PARTS]]
    if rows:
        yield from ("", f"{title}:")
        yield from table(["", "abnormal", "normal", "delta"], rows, left=1)


def _row(name: str, times: Item, unit: str) -> list[str]:
    delta = duration_text(times["delta_ns"], unit)
    signed = delta if times["delta_ns"] <= 0 else f"+{delta}"
    sides = (duration_text(times[side], unit) for side in ("abnormal_ns", "normal_ns"))
    return [name, *sides, signed]
