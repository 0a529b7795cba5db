"""Checks latencies of recordings against limits. Exits with 0 passed, 1 failed, 2 undecidable."""

import argparse
import json
import sys
from collections.abc import Sequence

from jitterscope import _ftrace
from jitterscope.terminal.answers import FILES
from jitterscope.terminal.recording import Item, Recording, Refusal, read_recording
from jitterscope.terminal.rules import BadRules, Rule, read_rules
from jitterscope.terminal.text import plain

PASSED, FAILED, UNDECIDABLE = 0, 1, 2

_STATUS = {True: PASSED, False: FAILED, None: UNDECIDABLE}
_WORDS = {"passed": "passed", "failed": "FAILED", "undecidable": "undecidable"}
# Members of a check that the core does not know.
_NOT_ASKED = {"where", "baseline", "statistical", "min_traces"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rules", metavar="RULES", help="TOML file of limits; docs/terminal.md shows one")
    parser.add_argument("files", nargs="+", metavar="FILE", help=FILES)
    parser.add_argument("--json", action="store_true", help="print a JSON object a recording, as REST has it")


def run(arguments: argparse.Namespace) -> int:
    """Prints the results for each file. Returns 1 if any failed, else 2 if any is undecidable, else 0."""
    found: set[int] = set()
    try:
        rules = read_rules(arguments.rules)
    except BadRules as error:
        print(f"jitterscope: {plain(str(error))}", file=sys.stderr)
        return UNDECIDABLE
    for file in arguments.files:
        try:
            recording = read_recording(file)
            report = check_recording(recording, rules)
        except Refusal as error:
            print(f"jitterscope: {plain(str(error))}", file=sys.stderr)
            found.add(UNDECIDABLE)
            continue
        found.add(_STATUS[report["passed"]])
        print(_json_of(recording, report) if arguments.json else "\n".join(_lines_of(recording, report)))
    return FAILED if FAILED in found else max(found, default=PASSED)


def check_recording(recording: Recording, rules: Sequence[Rule]) -> Item:
    """What REST answers to the same checks.

    Raises: BadRules.
    """
    results = []
    for number, rule in enumerate(rules):
        asked = {name: value for name, value in (rule | rule["where"]).items() if name not in _NOT_ASKED}
        try:
            outcome = recording.ask(
                "latency_check", {name: value for name, value in asked.items() if value is not None}
            )
        except _ftrace.RequestError as error:
            raise BadRules(f"check.{number}.{error.parameter}: {error.detail}") from error
        results.append({**outcome, "baseline": None, "check": rule})
    outcomes = {result["outcome"] for result in results}
    decided = None if "undecidable" in outcomes else True
    return {"passed": False if "failed" in outcomes else decided, "results": results}


def _json_of(recording: Recording, report: Item) -> str:
    return json.dumps({"file": recording.name, **report}, ensure_ascii=True, indent=2)


def limit_text(check: Rule) -> str:
    """`wakeup comm=cyclictest max <= 50us`."""
    where = "".join(f" {name}={value}" for name, value in check["where"].items() if value is not None)
    field = "" if check["field"] is None else f" {check['field']}"
    return f"{check['kind']}{field}{where} {check['stat']} {check['op']} {check['value']}"


def _lines_of(recording: Recording, report: Item) -> list[str]:
    lines = [plain(recording.name)]
    for result in report["results"]:
        lines.append(plain(f"  {_WORDS[result['outcome']]:<11}  {limit_text(result['check'])}"))
        if result["reason"] is not None:
            lines.append(plain(f"  {'':<11}  {result['reason']}"))
        if result["worst"] is not None and result["outcome"] != "passed":
            lines.append(plain(f"  {'':<11}  {result['worst']['headline']}"))
    return lines
