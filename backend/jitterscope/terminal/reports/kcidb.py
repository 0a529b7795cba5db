"""A submission to KCIDB, the database of KernelCI: test runs of a build.

Source: schema 5.3 of kcidb-io.
"""

import hashlib
import json
import re
from collections.abc import Sequence

from jitterscope.terminal.reports.result import CheckedFile, Result

_NS_PER_S = 1_000_000_000
_MOST_EXCERPT = 16_384
# An element of the path of a test.
_ODD = re.compile(r"[^A-Za-z0-9_-]+")
# Of what could not be decided, the state of the kernel is unknown: the test is at fault.
_STATUS = {"passed": "PASS", "failed": "FAIL", "undecidable": "ERROR"}


def kcidb(files: Sequence[CheckedFile], build_id: str) -> str:
    """JSON with a test run a check, of the build `ORIGIN:ID`. The same result has the same id."""
    tests = [_test(build_id, file, result) for file in files for result in file.results]
    return json.dumps({"version": {"major": 5, "minor": 3}, "tests": tests}, indent=2)


def _test(build_id: str, file: CheckedFile, result: Result) -> dict[str, object]:
    origin = build_id.partition(":")[0]
    # The link depends on where the recording was uploaded.
    identity = json.dumps([build_id, file.name, *result[:-1]])
    test: dict[str, object] = {
        "id": f"{origin}:jitterscope-{hashlib.sha256(identity.encode()).hexdigest()[:32]}",
        "origin": origin,
        "build_id": build_id,
        "path": ".".join(["jitterscope", *(_ODD.sub("_", word) or "_" for word in result.subject)]),
        "status": _STATUS[result.outcome],
        "comment": _text(f"{file.name}: {result.name}"),
    }
    if told_why := "\n".join(result.explanation):
        test["log_excerpt"] = _text(told_why)[:_MOST_EXCERPT]
    if result.measured is None:
        return test
    number, unit = result.measured
    seconds = {"value": number / _NS_PER_S, "unit": "s", "prefix": "metric"}
    return {**test, "number": seconds if unit == "ns" else {"value": number, "unit": unit}}


def _text(text: str) -> str:
    """JSON can hold a NUL and half of a character, which the schema and UTF-8 cannot."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()
