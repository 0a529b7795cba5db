"""JUnit XML, which every build server reads."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from jitterscope.reports.elements import xml_text
from jitterscope.terminal.reports.result import CheckedFile


def junit(files: Sequence[CheckedFile]) -> str:
    """A test suite a file and a test case a check; what could not be decided is an error, never a success."""
    suites = Element("testsuites", _counts(files))
    for file in files:
        name = xml_text(file.name)
        suite = SubElement(suites, "testsuite", {"name": name, **_counts([file])})
        for result in file.results:
            case = SubElement(suite, "testcase", {"classname": name, "name": xml_text(result.name)})
            if result.outcome != "passed":
                tag = "failure" if result.outcome == "failed" else "error"
                element = SubElement(case, tag, {"type": result.outcome, "message": xml_text(result.reason)})
                element.text = xml_text("\n".join(filter(None, (result.worst, result.drawn.link))))
    indent(suites)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(suites, encoding="unicode")}'


def _counts(files: Sequence[CheckedFile]) -> dict[str, str]:
    outcomes = [result.outcome for file in files for result in file.results]
    failures, errors = outcomes.count("failed"), outcomes.count("undecidable")
    return {"tests": str(len(outcomes)), "failures": str(failures), "errors": str(errors)}
