"""Checks latencies of recordings against limits. Exits with 0 passed, 1 failed, 2 undecidable."""

import argparse
import json
import re
import sys
from collections.abc import Mapping, Sequence

from jitterscope import _ftrace
from jitterscope.terminal.answers import FILES, warn
from jitterscope.terminal.case_lines import case_lines
from jitterscope.terminal.recording import Item, Recording, Refusal, read_recording
from jitterscope.terminal.reports import DRAWING, OF_BUILDS, REPORTS, report_of
from jitterscope.terminal.reports.result import CheckedFile, Drawn
from jitterscope.terminal.rules import BadRules, Rule, read_rules
from jitterscope.terminal.server import add_server, labels_of, server_of
from jitterscope.terminal.text import plain
from jitterscope.terminal.upload import link_of, picture_of, upload, wait_for

PASSED, FAILED, UNDECIDABLE = 0, 1, 2

FORMATS = ("text", "json", *REPORTS)

_BUILD = re.compile(r"[a-z0-9_]+:[^\0]+")
_STATUS = {True: PASSED, False: FAILED, None: UNDECIDABLE}
_WORDS = {"passed": "passed", "failed": "FAILED", "undecidable": "undecidable"}
# Members of a check that the core does not know.
_NOT_ASKED = {"where", "baseline", "statistical", "min_traces"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rules", metavar="RULES", help="TOML file of limits; docs/terminal.md shows one")
    parser.add_argument("files", nargs="+", metavar="FILE", help=FILES)
    parser.add_argument("--format", choices=FORMATS, default="text", help="what to print; text by default")
    parser.add_argument(
        "--build", type=_build, metavar="ORIGIN:ID", help="of --format kcidb: the build that was tested"
    )
    parser.add_argument("--json", action="store_const", const="json", dest="format", help="as --format json")
    parser.add_argument(
        "--upload", action="store_true", help="upload what breaks a limit, and link to the case that does"
    )
    parser.add_argument(
        "--label", action="append", default=[], metavar="NAME=VALUE", help="of what is uploaded"
    )
    add_server(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints the results for each file. Returns 1 if any failed, else 2 if any is undecidable, else 0."""
    try:
        if arguments.format in OF_BUILDS and arguments.build is None:
            raise BadRules(f"--format {arguments.format} needs --build ORIGIN:ID")
        if arguments.upload and "-" in arguments.files:
            raise BadRules("--upload cannot send standard input, which was read by then; name a file")
        rules = read_rules(arguments.rules)
    except BadRules as error:
        print(f"jitterscope: {plain(str(error))}", file=sys.stderr)
        return UNDECIDABLE
    found: set[int] = set()
    checked = []
    for file in arguments.files:
        try:
            recording = warn(read_recording(file))
            report = check_recording(recording, rules)
        except Refusal as error:
            print(f"jitterscope: {plain(str(error))}", file=sys.stderr)
            checked.append(CheckedFile.unreadable(file, str(error)))
            found.add(UNDECIDABLE)
            continue
        found.add(_STATUS[report["passed"]])
        drawn = _drawn(arguments, file, recording, report)
        checked.append(CheckedFile.of(recording.name, report, drawn))
        if arguments.format == "json":
            print(_json_of(recording, report, drawn))
        elif arguments.format == "text":
            print("\n".join(_lines_of(checked[-1])))
    if arguments.format in REPORTS:
        print(report_of(arguments.format, checked, arguments.build))
    return FAILED if FAILED in found else max(found, default=PASSED)


def _build(text: str) -> str:
    if not _BUILD.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no build of KCIDB, such as redhat:1234")
    return text


def check_recording(recording: Recording, rules: Sequence[Rule]) -> Item:
    """What REST answers to the same checks.

    Raises: BadRules.
    """
    results = []
    for number, rule in enumerate(rules):
        params = {name: value for name, value in (rule | rule["where"]).items() if name not in _NOT_ASKED}
        try:
            outcome = recording.ask(
                "latency_check", {name: value for name, value in params.items() if value is not None}
            )
        except _ftrace.RequestError as error:
            raise BadRules(f"check.{number}.{error.parameter}: {error.detail}") from error
        results.append({**outcome, "baseline": None, "check": rule})
    outcomes = {result["outcome"] for result in results}
    decided = None if "undecidable" in outcomes else True
    return {"passed": False if "failed" in outcomes else decided, "results": results}


def _drawn(
    arguments: argparse.Namespace, file: str, recording: Recording, report: Item
) -> Mapping[str, Drawn]:
    """The worst cases of broken limits, by their ids: what the report shows of them, and where they are."""
    failed = [result for result in report["results"] if result["outcome"] == "failed"]
    broken = sorted({result["worst"]["id"] for result in failed if result["worst"]})
    drawn = {case: Drawn() for case in broken}
    if arguments.format in DRAWING:
        cases = [(case, recording.ask("latency_case", {"case": case})) for case in broken]
        drawn = {case: Drawn(list(case_lines(found))) for case, found in cases}
    return _uploaded(arguments, file, drawn) if arguments.upload and failed else drawn


def _uploaded(arguments: argparse.Namespace, file: str, drawn: Mapping[str, Drawn]) -> Mapping[str, Drawn]:
    """Uploads the recording, and adds where its cases are.

    A service that cannot be reached changes no result: a line says so, and there are no links.
    """
    try:
        server = server_of(arguments)
        trace = wait_for(server, upload(server, file, {"labels": json.dumps(labels_of(arguments.label))}))
        return {
            case: one._replace(link=link_of(server, trace, case), picture=picture_of(server, trace, case))
            for case, one in drawn.items()
        }
    except Refusal as error:
        print(f"jitterscope: {plain(str(error))}", file=sys.stderr)
        return drawn


def _json_of(recording: Recording, report: Item, drawn: Mapping[str, Drawn]) -> str:
    linked = [_linked(result, drawn) for result in report["results"]]
    answer = {"file": recording.name, "warnings": recording.warnings, **report, "results": linked}
    return json.dumps(answer, ensure_ascii=True, indent=2)


def _linked(result: Item, drawn: Mapping[str, Drawn]) -> Item:
    worst = result["worst"]
    link = drawn.get(worst["id"], Drawn()).link if worst else ""
    return {**result, "worst": {**worst, "url": link}} if link else result


def _lines_of(checked: CheckedFile) -> list[str]:
    lines = [plain(checked.name)]
    for result in checked.results:
        lines.append(plain(f"  {_WORDS[result.outcome]:<11}  {result.name}"))
        lines += [plain(f"  {'':<11}  {text}") for text in result.explanation]
    return lines
