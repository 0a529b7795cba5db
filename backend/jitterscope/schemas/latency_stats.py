"""Statistics of one kind of latency, and its samples over time."""

from typing import Literal

from pydantic import Field

from jitterscope.schemas.event_fields import Unit
from jitterscope.schemas.latencies import HistogramBin, IncompleteLatencies, LatencyFilterQuery
from jitterscope.schemas.model import Answer
from jitterscope.schemas.windows import PixelWidth


class OneKindQuery(LatencyFilterQuery):
    kind: str | None = Field(
        None,
        max_length=64,
        description="A name that `latencies/kinds` lists; it has to be given, unless `field` is.",
        examples=["wakeup"],
    )
    min: str | None = Field(None, max_length=64, description="Shortest, such as `50us`.")
    max: str | None = Field(None, max_length=64, description="Longest, such as `10ms`.")


class LatencyStatsQuery(OneKindQuery):
    group_by: str | None = Field(
        None,
        max_length=16,
        description="`cpu`, `pid`, `comm`; by kind also `key`, `sleep`, `frequency` or `idle_state`.",
        examples=["cpu"],
    )
    bucket: str | None = Field(
        None,
        max_length=32,
        description="Width of a bucket (`50us`), `log2`, or `log2/4` for quarters of powers of two; a round "
        "one that fits if absent.",
        examples=["50us"],
    )
    buckets: int | None = Field(
        None,
        ge=1,
        le=1000,
        description="At most so many, 64 if absent; the last takes all that is longer.",
        examples=[64],
    )


class MeasuredField(Answer):
    """The field of events whose values are the samples."""

    name: str = Field(examples=["hrtimer_cb.delta"])
    unit: Unit = Field(description="Unit of the values as the events hold them.", examples=["us"])
    unit_source: Literal["asked", "value", "name", "event", "none"] = Field(
        description="`asked` for in the question, else where the text says it, as in `event-fields`.",
        examples=["event"],
    )


class LatencyGroupName(Answer):
    name: str = Field(description="What the samples are grouped by.", examples=["cpu"])
    value: int | str | None = Field(
        description="null where it is not known, and for the rest of too many groups.", examples=[1]
    )
    label: str = Field(examples=["CPU 1"])
    folded: int | None = Field(
        description="How many groups are merged in this one; null for a single group.", examples=[None]
    )


class Shelves(Answer):
    """All durations, sorted, against their rank from 0; the shortest and the longest are always there."""

    rank: list[int] = Field(examples=[[0, 1, 2]])
    duration_ns: list[int] = Field(examples=[[2_000, 5_000, 84_000]])


class LatencyGroup(Answer):
    """Percentiles are exact (nearest rank); mean and deviation are rounded to whole nanoseconds."""

    group: LatencyGroupName | None = Field(description="null where all samples are one group.")
    count: int = Field(examples=[1_500])
    min_ns: int = Field(examples=[2_000])
    mean_ns: int = Field(examples=[5_200])
    stdev_ns: int | None = Field(description="Of the sample (n - 1); null for one.", examples=[1_100])
    max_ns: int = Field(examples=[84_000])
    p50_ns: int = Field(examples=[5_000])
    p90_ns: int = Field(examples=[7_000])
    p99_ns: int = Field(examples=[12_000])
    p99_9_ns: int = Field(examples=[40_000])
    p99_99_ns: int = Field(examples=[84_000])
    p99_999_ns: int = Field(examples=[84_000])
    worst_id: str = Field(description="The worst case.", examples=["wakeup-1213@2563695119000"])
    histogram: list[HistogramBin] = Field(description="The same buckets for every group.")
    shelves: Shelves


class LatencyStats(Answer):
    kind: str = Field(examples=["wakeup"])
    unit: Literal["ns", "none"] = Field(
        description="Unit of everything that ends in `_ns`; `none` for bare numbers of events.",
        examples=["ns"],
    )
    field: MeasuredField | None = Field(description="null where the question is about none.")
    groups: list[LatencyGroup] = Field(
        description="At most 100 and the rest in one; by value, or the worst first. None without samples."
    )
    incomplete: list[IncompleteLatencies] = Field(
        description="Of the kind, or of the field, in the whole trace."
    )


class LatencySeriesQuery(OneKindQuery):
    width: PixelWidth = None


class LatencyLane(Answer):
    """One CPU as columns of equal length, in the order of time."""

    cpu: int = Field(examples=[0])
    t: list[int] = Field(description="Start of the sample, be it one or the longest of its pixel.")
    duration_ns: list[int] = Field(examples=[[5_000]])
    count: list[int] = Field(description="How many samples began in that pixel.", examples=[[1]])
    id: list[str] = Field(examples=[["wakeup-1213@2563695119000"]])


class LatencySeries(Answer):
    """Latencies over time. The longest of every pixel is there at its own start, so no maximum is lost.

    Of numbers without a unit, the smallest of every pixel is there, too, so no low count is lost.
    """

    kind: str = Field(examples=["wakeup"])
    unit: Literal["ns", "none"] = Field(description="Unit of the durations.", examples=["ns"])
    field: MeasuredField | None = Field(description="null where the question is about none.")
    start: int
    end: int
    detail: str = Field(description="`samples`, or `buckets` where there are more than pixels.")
    lanes: list[LatencyLane]
    max_ns: int | None
