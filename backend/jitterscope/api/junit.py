"""A report of checks as JUnit XML, which every build server reads."""

from collections.abc import Mapping
from xml.etree.ElementTree import Element, SubElement, tostring

from jitterscope.reports.elements import xml_text
from jitterscope.reports.verdict import Verdict
from jitterscope.schemas.checks import Check, CheckReport, CheckResult


def junit_xml(report: CheckReport, trace_id: str, verdicts: Mapping[str, Verdict]) -> bytes:
    """One test case a check; a check that could not be decided is an error, never a success.

    `verdicts` are on the worst cases, by id: a failure says why its worst case took so long.
    """
    outcomes = [result.outcome for result in report.results]
    counts = {
        "tests": str(len(outcomes)),
        "failures": str(outcomes.count("failed")),
        "errors": str(outcomes.count("undecidable")),
    }
    suites = Element("testsuites", counts)
    suite = SubElement(suites, "testsuite", {"name": f"jitterscope {trace_id}", **counts})
    for result in report.results:
        case = SubElement(suite, "testcase", {"classname": trace_id, "name": xml_text(_name(result.check))})
        if result.outcome != "passed":
            tag = "failure" if result.outcome == "failed" else "error"
            element = SubElement(
                case, tag, {"type": result.outcome, "message": xml_text(result.reason or "")}
            )
            element.text = xml_text("\n".join(filter(None, [_worst(result, verdicts), _baseline(result)])))
    xml: bytes = tostring(suites, encoding="utf-8", xml_declaration=True)
    return xml


def _name(check: Check) -> str:
    """`wakeup max <= 50us (comm=cyclictest)`."""
    where = check.where.model_dump(exclude_none=True)
    filters = ", ".join(f"{name}={value}" for name, value in where.items())
    held = "" if check.baseline is None else f" of {check.baseline}"
    at = " at 95 %" if check.statistical else ""
    return f"{check.field or check.kind} {check.stat} {check.op} {check.value}{held}{at}" + (
        f" ({filters})" if filters else ""
    )


def _baseline(result: CheckResult) -> str:
    """The comparison with the baseline, which the reason names with both numbers."""
    if result.baseline is None or result.baseline.url is None:
        return ""
    return f"compared with the baseline {result.baseline.name}: {result.baseline.url}"


def _worst(result: CheckResult, verdicts: Mapping[str, Verdict]) -> str:
    if result.worst is None:
        return ""
    verdict = verdicts.get(result.worst.id)
    links = [] if verdict is None else [f"- {link}" for link in verdict.links]
    return "\n".join([result.worst.headline, *links, result.worst.url])
