"""JUnit XML, which every build server reads."""

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from jitterscope.terminal.reports.result import CheckedFile

# XML has no way to write these, and the names of tasks can hold them.
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(files: Sequence[CheckedFile]) -> str:
    """A test suite a file and a test case a check; what could not be decided is an error, never a success."""
    suites = Element("testsuites", _counts(files))
    for file in files:
        name = _text(file.name)
        suite = SubElement(suites, "testsuite", {"name": name, **_counts([file])})
        for result in file.results:
            case = SubElement(suite, "testcase", {"classname": name, "name": _text(result.name)})
            if result.outcome != "passed":
                tag = "failure" if result.outcome == "failed" else "error"
                told = SubElement(case, tag, {"type": result.outcome, "message": _text(result.reason)})
                told.text = _text(result.worst)
    indent(suites)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(suites, encoding="unicode")}'


def _counts(files: Sequence[CheckedFile]) -> dict[str, str]:
    outcomes = [result.outcome for file in files for result in file.results]
    failures, errors = outcomes.count("failed"), outcomes.count("undecidable")
    return {"tests": str(len(outcomes)), "failures": str(failures), "errors": str(errors)}


def _text(text: str) -> str:
    return _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", text)
