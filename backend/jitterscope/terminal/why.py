"""Says why the worst cases of recordings were late."""

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jitterscope.reports.times import duration_text
from jitterscope.terminal.answers import FILES, Failures, answer_each, warn
from jitterscope.terminal.case_lines import case_lines
from jitterscope.terminal.kinds import present_kinds, task_filter
from jitterscope.terminal.picture import add_pictures, picture_form, write_picture
from jitterscope.terminal.recording import Item, Recording, read_recording
from jitterscope.terminal.text import lines_of

_MOST_CASES = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help=FILES)
    parser.add_argument("--kind", help="kind of latency, as wakeup; without it, the first there is")
    parser.add_argument("--task", help="only this task: its name, its pid, or name-pid")
    parser.add_argument("--top", type=_top, default=1, metavar="N", help="cases to explain; at most 100")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print a JSON object a recording, as REST has it")
    form.add_argument("--html", action="store_true", help="print all cases as one HTML page")
    add_pictures(form, "the ruler of the worst case")


def run(arguments: argparse.Namespace) -> int:
    """Prints the answer for each file, and one line for each that has none. Returns the exit status."""
    selection = Selection(arguments.kind, arguments.task, arguments.top)
    form = picture_form(arguments)
    if arguments.html or form is not None:
        return _print_report(arguments.files, selection, form)

    def lines_of(recording: Recording) -> Iterator[str]:
        found = why(recording, selection)
        if arguments.json:
            return iter([json_of(recording, found)])
        return text_of(recording, found, shows_kinds=selection.kind is None)

    return answer_each(arguments.files, lines_of, is_apart=not arguments.json)


def _top(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= _MOST_CASES:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to {_MOST_CASES}")
    return int(text)


class Selection(NamedTuple):
    """Which cases of a recording to explain."""

    kind: str | None = None
    task: str | None = None
    top: int = 1


class Why(NamedTuple):
    """The worst case of each kind, and the worst of one kind in full, worst first."""

    kinds: Sequence[Item]
    cases: Sequence[Item]


def why(recording: Recording, selection: Selection) -> Why:
    """What REST answers to the same questions.

    Raises: RequestError of the core for parameters that mean nothing, NothingMeasured.
    """
    tasks = task_filter(recording, selection.task)
    kinds = present_kinds(recording, selection.kind, tasks)
    request = {"kind": kinds[0]["kind"], "sort": "worst", "limit": selection.top, **tasks}
    worst = recording.ask("latencies", request)
    cases = [recording.ask("latency_case", {"case": item["id"]}) for item in worst["items"]]
    return Why(kinds, cases)


def _print_report(files: Sequence[str], selection: Selection, picture: str | None) -> int:
    # They take longer to load than small recordings to read.
    from jitterscope.reports.case import Recorded, cases_html  # noqa: PLC0415
    from jitterscope.reports.ruler import ruler_svg  # noqa: PLC0415
    from jitterscope.schemas.latency_case import LatencyCase  # noqa: PLC0415

    failures = Failures()
    cases = []
    for file in files:
        with failures.catch():
            recording = warn(read_recording(file))
            known = recording.known
            recorded = Recorded(recording.name, known["kernel"], known["time_unit"])
            found = why(recording, selection).cases
            cases += [(LatencyCase.model_validate(case), recorded) for case in found]
    with failures.catch():
        if cases and picture is not None:
            worst, recorded = max(cases, key=lambda one: one[0].duration_ns)
            write_picture(ruler_svg(worst, recorded.unit), picture)
        elif cases:
            print(cases_html(cases))
    return failures.status


def json_of(recording: Recording, found: Why) -> str:
    """One object: `warnings` as a trace has them; `kinds`, `cases` as the endpoints of those names answer."""
    answer = {
        "file": recording.name,
        "warnings": recording.warnings,
        "kinds": found.kinds,
        "cases": found.cases,
    }
    return json.dumps(answer, ensure_ascii=True, indent=2)


def text_of(recording: Recording, found: Why, *, shows_kinds: bool) -> Iterator[str]:
    """Lines for a terminal: the file, the worst of each kind, and each case with its ruler and chain."""
    yield from lines_of(f"{recording.name}: {_about(recording)}")
    if shows_kinds:
        yield ""
        width = max(len(kind["kind"]) for kind in found.kinds)
        digits = max(len(f"{kind['count']:,}") for kind in found.kinds)
        for kind in found.kinds:
            worst = kind["worst"]
            count = f"{kind['count']:,}"
            text = worst["headline"] if worst else ""
            head = f"  {kind['kind']:<{width}}  {count:>{digits}}  "
            yield from lines_of(f"{head}{text}", len(head))
    for case in found.cases:
        yield ""
        yield from case_lines(case)


def _about(recording: Recording) -> str:
    known, count = recording.known, len(recording.warnings)
    about = [
        known["format"],
        known["kernel"] and f"Linux {known['kernel']}",
        f"{known['cpu_count']} CPU{'' if known['cpu_count'] == 1 else 's'}",
        f"{known['event_count']:,} events",
        duration_text(known["duration_ns"], known["time_unit"]),
        known["lost_events"] and f"{known['lost_events']:,} events lost",
        count and f"{count:,} warning{'' if count == 1 else 's'}",
    ]
    return ", ".join(str(one) for one in about if one)
