"""One number of many traces along an axis."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from jitterscope.schemas.compare import UNIT, CompareMeasure, CompareVariant, CompareWhere, PriorityClasses
from jitterscope.schemas.model import Answer, QueryModel

Stat = Literal["mean_ns", "p50_ns", "p90_ns", "p99_ns", "p99_9_ns", "p99_99_ns", "max_ns"]
_X_PATTERN = r"^(uploaded|name|label:[^\x00]+)$"
_X = "`uploaded`, `name` or `label:NAME`: quantities by size, all else as versions."


class TrendBody(BaseModel):
    """The traces, listed or by their labels, and their number."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    measure: CompareMeasure
    variant: CompareVariant
    where: CompareWhere = CompareWhere()
    x: str = Field("uploaded", max_length=80, pattern=_X_PATTERN, description=_X)
    stat: Stat = Field("p99_ns", description="The number whose changes are looked for.")


class TrendQuery(QueryModel):
    labels: list[Annotated[str, Field(max_length=300, pattern=r"^[^:]+:.+$")]] = Field(
        min_length=1,
        max_length=20,
        description="`name:value`: traces that have all of these.",
        examples=[["board:rpi4"]],
    )
    measure: str = Field(
        max_length=600,
        description="A kind of latency; `field:NAME` or `measured:SOURCE` for one field or source.",
        examples=["wakeup"],
    )
    x: str = Field(
        "uploaded",
        max_length=80,
        pattern=_X_PATTERN,
        description=_X,
        examples=["label:kernel"],
    )
    stat: Stat = Field("p99_ns", description="The number whose changes are looked for.")
    cpu: int | None = Field(None, ge=0, le=32_767)
    comm: str | None = Field(None, max_length=512)
    priority_class: PriorityClasses | None = None


class TrendPoint(Answer):
    """One trace."""

    x: str = Field(examples=["6.12.3"])
    trace: str = Field(examples=["7hrkt6poljf7"])
    name: str = Field(examples=["nightly-2026-11-22"])
    uploaded_at: datetime
    lost_events: bool = Field(description="Events were lost: latencies may be missing.", examples=[False])
    count: int = Field(examples=[10_000])
    mean_ns: int
    p50_ns: int
    p90_ns: int
    p99_ns: int
    p99_9_ns: int
    p99_99_ns: int
    max_ns: int
    worst_url: str = Field(description="The permalink of the longest case.")


class TrendChange(Answer):
    """The number has another level from here on."""

    index: int = Field(description="The point at which the new level begins.", examples=[150])
    x: str = Field(examples=["6.12.4"])
    before_ns: int = Field(description="The median of the points since the change before.", examples=[50_000])
    after_ns: int = Field(description="The median of the points until the next change.", examples=[61_000])
    share: float | None = Field(description="Of `before_ns`; null where that is zero.", examples=[0.22])
    p_value: float = Field(
        description="How often the same numbers in another order split as well, of 1,000.", examples=[0.001]
    )
    differs: list[str] = Field(
        description="What else is not the same in the first trace of the new level and in the one before it: "
        "facts of the recording and labels, at most ten.",
        examples=[["kernel: 6.12.3, then 6.12.4"]],
    )
    worst_url: str = Field(description="The longest case of the first trace of the new level.")
    normal_trace: str = Field(
        description="The latest trace of the level before whose number is its median: what to compare with.",
        examples=["7hrkt6poljf7"],
    )
    normal_url: str = Field(description="The longest case of that trace.")


class TrendAnswer(Answer):
    unit: str = Field(description=UNIT, examples=["ns"])
    stat: str = Field(examples=["p99_ns"])
    points: list[TrendPoint] = Field(description="In the order of `x`.")
    changes: list[TrendChange] = Field(description="In the order of the points.")
    without_x: int = Field(description="Traces that lack the label.", examples=[0])
    without_samples: int = Field(description="Traces that are not loaded, or lack such samples.")
    guard: list[str] = Field(
        description="What is left out because its clock counts something else, and what ticks say.",
        examples=[[]],
    )
