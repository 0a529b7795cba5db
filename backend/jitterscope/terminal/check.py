"""`jitterscope check`: whether recordings keep to limits."""

import asyncio
import json
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from jitterscope import _ftrace
from jitterscope.schemas.checks import Check, CheckOutcome, CheckReport
from jitterscope.terminal.recording import Recording, Refusal, read_recording
from jitterscope.terminal.text import plain

PASSED, FAILED, UNDECIDABLE = 0, 1, 2

_WORDS = {"passed": "passed", "failed": "FAILED", "undecidable": "undecidable"}


class BadRules(Refusal):
    """A file of rules that cannot be used."""


class _Rules(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    check: list[Check] = Field(min_length=1, max_length=100)


def read_rules(path: Path) -> list[Check]:
    """The checks of a TOML file: a table `[[check]]` each, with the members that REST takes.

    Raises: BadRules.
    """
    try:
        checks = _Rules.model_validate(tomllib.loads(path.read_text("utf-8"))).check
    except OSError as error:
        raise BadRules(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadRules(f"{path}: {error}") from error
    except ValidationError as error:
        found = error.errors()[0]
        place = ".".join(str(one) for one in found["loc"])
        raise BadRules(f"{path}: {place}: {found['msg']}") from error
    of_server = [number for number, check in enumerate(checks) if check.baseline is not None]
    if of_server:
        raise BadRules(
            f"{path}: check.{of_server[0]}.baseline: only a server has baselines; upload the recording to it"
        )
    return checks


async def check_recording(recording: Recording, checks: Sequence[Check]) -> CheckReport:
    """What REST answers to the same checks.

    Raises: BadRules.
    """
    outcomes = []
    for number, check in enumerate(checks):
        try:
            answer = await recording.ask("latency_check", check.question(None))
        except _ftrace.RequestError as error:
            raise BadRules(f"check.{number}.{error.parameter}: {error.detail}") from error
        outcomes.append(CheckOutcome.model_validate(answer))
    return CheckReport.of(checks, outcomes)


def print_checks(rules: Path, files: Sequence[str], *, as_json: bool) -> int:
    """Prints the results for each file. Returns 1 if any failed, else 2 if any is undecidable, else 0."""
    found: set[int] = set()
    try:
        checks = read_rules(rules)
    except BadRules as error:
        print(f"jitterscope: {plain(str(error))}", file=sys.stderr)
        return UNDECIDABLE
    for file in files:
        try:
            recording = read_recording(file)
            report = asyncio.run(check_recording(recording, checks))
        except Refusal as error:
            print(f"jitterscope: {plain(str(error))}", file=sys.stderr)
            found.add(UNDECIDABLE)
            continue
        found.add({True: PASSED, False: FAILED, None: UNDECIDABLE}[report.passed])
        print(_json_of(recording, report) if as_json else "\n".join(_lines_of(recording, report)))
    return FAILED if FAILED in found else max(found, default=PASSED)


def _json_of(recording: Recording, report: CheckReport) -> str:
    answer = {"file": recording.name, **report.model_dump(mode="json", by_alias=True)}
    return json.dumps(answer, ensure_ascii=True, indent=2)


def _lines_of(recording: Recording, report: CheckReport) -> list[str]:
    lines = [plain(recording.name)]
    for result in report.results:
        check = result.check
        where = check.where.model_dump(exclude_none=True)
        whose = "".join(f" {name}={value}" for name, value in where.items())
        field = "" if check.field is None else f" {check.field}"
        limit = f"{check.kind}{field}{whose} {check.stat} {check.op} {check.value}"
        lines.append(plain(f"  {_WORDS[result.outcome]:<11}  {limit}"))
        if result.reason is not None:
            lines.append(plain(f"  {'':<11}  {result.reason}"))
        if result.worst is not None and result.outcome != "passed":
            lines.append(plain(f"  {'':<11}  {result.worst.headline}"))
    return lines
