"""Checks latencies of recordings against limits. Exits with 0 passed, 1 failed, 2 undecidable."""

import argparse
import json
import re
import sys
from collections.abc import Mapping, Sequence

from jitterscope import _ftrace
from jitterscope.terminal.answers import FILES
from jitterscope.terminal.recording import Item, Recording, Refusal, read_recording
from jitterscope.terminal.reports import OF_BUILDS, REPORTS, report_of
from jitterscope.terminal.reports.result import CheckedFile
from jitterscope.terminal.rules import BadRules, Rule, read_rules
from jitterscope.terminal.server import add_server, labels_of, server_of
from jitterscope.terminal.text import plain
from jitterscope.terminal.upload import link_of, upload, wait_for

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
            recording = read_recording(file)
            report = check_recording(recording, rules)
        except Refusal as error:
            print(f"jitterscope: {plain(str(error))}", file=sys.stderr)
            checked.append(CheckedFile.unreadable(file, str(error)))
            found.add(UNDECIDABLE)
            continue
        found.add(_STATUS[report["passed"]])
        links = _links(arguments, file, report)
        checked.append(CheckedFile.of(recording.name, report, links))
        if arguments.format == "json":
            print(_json_of(recording, report, links))
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


def _links(arguments: argparse.Namespace, file: str, report: Item) -> Mapping[str, str]:
    """Uploads a recording that breaks a limit. The permalinks of the cases that do, by their ids.

    A service that cannot be reached changes no result: a line says so, and there are no links.
    """
    if not arguments.upload or report["passed"] is not False:
        return {}
    failed = [result for result in report["results"] if result["outcome"] == "failed"]
    broken = {result["worst"]["id"] for result in failed if result["worst"]}
    try:
        server = server_of(arguments)
        trace = wait_for(server, upload(server, file, {"labels": json.dumps(labels_of(arguments.label))}))
        return {case: link_of(server, trace, case) for case in sorted(broken)}
    except Refusal as error:
        print(f"jitterscope: {plain(str(error))}", file=sys.stderr)
        return {}


def _json_of(recording: Recording, report: Item, links: Mapping[str, str]) -> str:
    linked = [_linked(result, links) for result in report["results"]]
    return json.dumps({"file": recording.name, **report, "results": linked}, ensure_ascii=True, indent=2)


def _linked(result: Item, links: Mapping[str, str]) -> Item:
    worst = result["worst"]
    if worst is None or worst["id"] not in links:
        return result
    return {**result, "worst": {**worst, "url": links[worst["id"]]}}


def _lines_of(checked: CheckedFile) -> list[str]:
    lines = [plain(checked.name)]
    for result in checked.results:
        lines.append(plain(f"  {_WORDS[result.outcome]:<11}  {result.name}"))
        lines += [plain(f"  {'':<11}  {text}") for text in result.explanation]
    return lines
