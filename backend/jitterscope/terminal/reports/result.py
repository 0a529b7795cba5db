"""What reports are made of."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from jitterscope.reports.times import duration_text
from jitterscope.terminal.recording import Item


class Drawn(NamedTuple):
    """The worst case of a broken limit."""

    lines: Sequence[str] = ()
    """Its sentence, ruler and chain, as text; none in reports that have no place for them."""
    link: str = ""
    """Its permalink, where the recording was uploaded; else empty."""
    picture: str = ""
    """The address of its ruler as a picture, where the recording was uploaded; else empty."""


class Result(NamedTuple):
    """One check of one file. Names in it come from the recording, as they are."""

    name: str
    """`wakeup comm=cyclictest max <= 50us`."""
    outcome: str
    """`passed`, `failed` or `undecidable`."""
    reason: str
    worst: str
    """The verdict on the worst case of a check that did not pass; else empty."""
    measured: tuple[int, str] | None
    """The number, and `ns` or `samples`; None without samples."""
    subject: Sequence[str]
    """What is measured, whatever the limit is: `wakeup`, `comm=cyclictest`, `max`."""
    drawn: Drawn = Drawn()

    @property
    def explanation(self) -> Sequence[str]:
        """The reason, the verdict and the link, as many of them as there are."""
        return [text for text in (self.reason, self.worst, self.drawn.link) if text]


class CheckedFile(NamedTuple):
    """The results of a file, or why it could not be checked."""

    name: str
    results: Sequence[Result]

    @classmethod
    def of(cls, name: str, report: Item, drawn: Mapping[str, Drawn]) -> "CheckedFile":
        """Of what REST answers. `drawn` has the worst cases of broken limits by their ids."""
        return cls(name, [_result(one, drawn) for one in report["results"]])

    @classmethod
    def unreadable(cls, name: str, reason: str) -> "CheckedFile":
        """A file that is no recording decides nothing, which no report may take for a success."""
        return cls(name, [Result("the recording is readable", "undecidable", reason, "", None, ["readable"])])


def limit_text(check: Item) -> str:
    """`wakeup comm=cyclictest max <= 50us`."""
    return " ".join([*_subject(check), check["op"], str(check["value"])])


def _subject(check: Item) -> Sequence[str]:
    where = [f"{name}={value}" for name, value in check["where"].items() if value is not None]
    field = [] if check["field"] is None else [check["field"]]
    return [check["kind"], *field, *where, check["stat"]]


def measured_text(measured: tuple[int, str] | None) -> str:
    """`84.00 µs`, `1,500 samples`; empty where there is no number."""
    if measured is None:
        return ""
    number, unit = measured
    return duration_text(number) if unit == "ns" else f"{number:,} {unit}"


def _result(result: dict[str, Any], drawn: Mapping[str, Drawn]) -> Result:  # Any: JSON as REST has it
    outcome: str = result["outcome"]
    worst = result["worst"] if outcome != "passed" else None
    return Result(
        name=limit_text(result["check"]),
        outcome=outcome,
        reason=result["reason"] or "",
        worst="" if worst is None else worst["headline"],
        measured=_measured(result),
        subject=_subject(result["check"]),
        drawn=Drawn() if worst is None else drawn.get(worst["id"], Drawn()),
    )


def _measured(result: dict[str, Any]) -> tuple[int, str] | None:  # Any: JSON as REST has it
    if result["check"]["stat"] == "count":
        return result["count"], "samples"
    return None if result["actual_ns"] is None else (result["actual_ns"], "ns")
