"""Where a call or case has its like in other traces."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from jitterscope.schemas.model import Answer, QueryModel
from jitterscope.schemas.text import RememberedTraceId


class DiffNormalsQuery(QueryModel):
    abnormal: str = Field(
        min_length=1,
        max_length=1_100,
        description="The call, the case or the group to compare, as in `GET /api/v1/diff`.",
        examples=["gq3tqmzqmjrd/call-1213@4500.0"],
    )
    recent: list[RememberedTraceId] = Field(
        default_factory=list, max_length=50, description="Traces to list first, in this order."
    )
    limit: int = Field(20, ge=1, le=100, description="The most traces.")


class DiffNormalTrace(Answer):
    """A trace with calls or cases to compare with."""

    id: str = Field(examples=["s6aa6fnilfgj"])
    name: str = Field(examples=["timer-interrupt-normal"])
    labels: dict[str, str] = Field(examples=[{"board": "qemu"}])
    shared_labels: list[str] = Field(description="Labels that the abnormal trace has, too.")
    created_at: datetime
    count: int = Field(description="Its calls of the function, or cases of the kind.", examples=[4_812])
    median_ns: int | None = Field(description="Of the calls; null for cases.", examples=[53_940])
    max_ns: int = Field(examples=[63_996])
    normal: str = Field(
        description="For `normal` in `GET /api/v1/diff`: the median of its like there.",
        examples=["s6aa6fnilfgj/auto"],
    )


class DiffNormals(Answer):
    """Other traces to compare with: those of `recent` first, then those with the most labels in common."""

    function: str | None = Field(
        description="That the abnormal call is one of.", examples=["smp_apic_timer_interrupt"]
    )
    kind: str | None = Field(description="That the abnormal case is one of.")
    title: str | None = Field(description="Of the kind.")
    key: str | None = Field(description="Of the abnormal case; cases are only compared with the same.")
    count: int = Field(
        description="Calls of the function, or cases of the kind, in the abnormal trace itself. With one, "
        "`auto` has nothing to compare with there.",
        examples=[4_812],
    )
    unit: Literal["ns", "ticks"] = Field(
        description="Of every `_ns`: ticks where all these clocks count steps of unknown length."
    )
    traces: list[DiffNormalTrace]
