"""Checks of a trace's latencies against limits, for automation."""

import re
from collections.abc import Sequence
from typing import Annotated, Literal, Self

from fastapi import Body
from pydantic import BaseModel, ConfigDict, Field, model_validator

from jitterscope.schemas.compare import PriorityClasses
from jitterscope.schemas.event_fields import Unit
from jitterscope.schemas.model import Answer
from jitterscope.schemas.text import KindName, RecordedName, Slug, Text

Outcome = Literal["passed", "failed", "undecidable"]


BASELINE_VALUE = re.compile(r"baseline(?: ?\* ?([0-9]{1,4}(?:\.[0-9]{1,6})?))?")


class CheckFilter(BaseModel):
    """Which samples are meant; what is not given lets everything through."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cpu: int | None = Field(None, examples=[1])
    pid: int | None = Field(None, examples=[1213])
    comm: RecordedName | None = Field(None, examples=["cyclictest"])
    key: RecordedName | None = Field(None, description="What the kind is keyed by.")
    priority_class: PriorityClasses | None = None


class Check(BaseModel):
    """One number of one kind of latency, and the limit that it has to keep."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: KindName = Field(examples=["wakeup"])
    field: RecordedName | None = Field(
        None,
        description="For the kind `field`: any field of an event that holds a number.",
        examples=[None],
    )
    unit: Unit | None = Field(
        None, description="Of the field; if absent, what the text says.", examples=[None]
    )
    stat: Literal["max", "min", "mean", "p50", "p90", "p99", "p99_9", "p99_99", "p99_999", "count"] = Field(
        examples=["max"]
    )
    op: Literal["<=", "<", ">=", ">", "=="] = Field(examples=["<="])
    value: Annotated[Text, Field(max_length=64)] | int = Field(
        description="A duration with a unit, or nanoseconds, or ticks of a clock that counts; for `count` "
        "and bare numbers, a number. With `baseline`, the word baseline, which a factor may follow: "
        "`baseline * 1.1`.",
        examples=["50us"],
    )
    baseline: Slug | None = Field(
        None, description="The slug of the baseline that sets the limit.", examples=[None]
    )
    statistical: bool = Field(
        default=False,
        description="Fail only where the number is larger (with `>=`, smaller) than those of the runs of the "
        "baseline at 95 %. It takes 19 runs.",
    )
    min_traces: int = Field(
        1, ge=1, le=2_000, description="With fewer traces in the baseline it is undecidable."
    )
    where: CheckFilter = Field(CheckFilter(), examples=[{"comm": "cyclictest"}])
    min_count: int = Field(1, ge=0, le=2**32 - 1, description="With fewer samples it is undecidable.")

    def question(self, limit_ns: int | None) -> dict[str, str | int]:
        """The core's parameters, with a baseline's limit in place of the value."""
        named: dict[str, str | int] = {"kind": self.kind, "stat": self.stat, "op": self.op}
        measured = self.model_dump(include={"field", "unit"}, exclude_none=True)
        limit = {"value": self.value if limit_ns is None else limit_ns, "min_count": self.min_count}
        return named | measured | limit | self.where.model_dump(exclude_none=True)

    @model_validator(mode="after")
    def _fits_its_baseline(self) -> Self:
        if self.baseline is None:
            if self.statistical or self.min_traces != 1:
                raise ValueError("statistical and min_traces go with a baseline")
            return self
        if not BASELINE_VALUE.fullmatch(str(self.value)):
            raise ValueError(
                "with a baseline, value has to be baseline, or baseline * 1.1 for another factor"
            )
        if self.stat in {"count", "p99_999"} or self.op == "==":
            raise ValueError("a baseline sets no limit to count and p99_999, and none with ==")
        if self.where.pid is not None or self.unit is not None:
            raise ValueError("where.pid and unit do not go with a baseline: its traces have other tasks")
        if self.statistical and (self.op not in {"<=", ">="} or self.value != "baseline"):
            raise ValueError("a statistical check is <= or >= baseline, without a factor")
        return self


Checks = Annotated[list[Check], Body(min_length=1, max_length=100)]


class WorstCase(Answer):
    id: str = Field(examples=["wakeup-1213@2563695119000"])
    url: str = Field(examples=["http://127.0.0.1:8000/t/gq3tqmzqmjrd/cases/wakeup-1213@2563695119000"])
    headline: str = Field(
        description="Of a check that did not pass, the verdict on its worst case.",
        examples=["Wakeup of cyclictest-1213 on CPU 1 took 84 µs: behind hog-170 (rt 90) for 80 µs"],
    )


class CheckBaseline(Answer):
    """The baseline that the number was compared with."""

    slug: str = Field(examples=["last-green-of-rpi4"])
    name: str = Field(description="The slug where it was deleted.", examples=["Last green of rpi4"])
    traces: int | None = Field(description="Without the one that is checked. null without a limit.")
    value_ns: int | None = Field(description="The baseline's number. null where it sets no limit.")
    limit_ns: int | None = Field(description="What it allows.", examples=[55_000])
    url: str | None = Field(description="The comparison of this trace with the baseline.")


class CheckOutcome(Answer):
    """What the core finds."""

    outcome: Outcome = Field(
        description="`failed` where the limit is broken. `undecidable`, and never `passed`, where it is not "
        "known to be kept: the kind was not recorded, there are too few samples, events were lost within "
        "some, the trace could not be loaded, or its clock counts ticks and the limit is a time.",
        examples=["failed"],
    )
    passed: bool | None = Field(description="null where it is undecidable.", examples=[False])
    reason: str | None = Field(
        description="null where it passed.", examples=["max is 84 µs, above the limit of 50 µs"]
    )
    actual_ns: int | None = Field(description="null for `count`, and without samples.", examples=[84_000])
    count: int = Field(description="Samples that were looked at.", examples=[1_500])
    worst: WorstCase | None
    baseline: CheckBaseline | None = Field(None, description="null for a check without one.")


class CheckResult(CheckOutcome):
    check: Check


class CheckReport(Answer):
    passed: bool | None = Field(
        description="true where all passed, false where any failed; else null.", examples=[False]
    )
    results: list[CheckResult] = Field(description="In the order of the checks.")

    @classmethod
    def of(cls, checks: Sequence[Check], outcomes: Sequence[CheckOutcome]) -> Self:
        """All results, and what they come to: one failure fails, and what is undecidable never passes."""
        results = [
            CheckResult(check=check, **dict(outcome)) for check, outcome in zip(checks, outcomes, strict=True)
        ]
        found = {outcome.outcome for outcome in outcomes}
        decided = None if "undecidable" in found else True
        return cls(passed=False if "failed" in found else decided, results=results)
