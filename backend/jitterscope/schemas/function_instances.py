"""The calls of one function."""

from pydantic import Field

from jitterscope.schemas.model import Answer
from jitterscope.schemas.windows import WindowQuery


class FunctionInstancesQuery(WindowQuery):
    function: str = Field(
        min_length=1,
        max_length=512,
        description="Its name, with its module or without.",
        examples=["smp_apic_timer_interrupt"],
    )
    cpu: str | None = Field(None, max_length=4_000, description="CPUs, separated by commas.", examples=["1"])
    pid: str | None = Field(None, max_length=4_000, description="Pids, separated by commas.")
    min: str | None = Field(None, max_length=64, description="Shortest call, such as `50us`.")
    max: str | None = Field(None, max_length=64, description="Longest call, such as `1ms`.")
    sort: str | None = Field(
        None, max_length=32, description="`t`: over time, every extreme kept; `-duration`: the slowest first."
    )
    limit: int = Field(2_000, ge=2, le=20_000, description="Points.")


class Spread(Answer):
    """What the durations of a set of calls are like; medians are the lower of two in the middle."""

    count: int = Field(examples=[4_812])
    median_ns: int = Field(examples=[53_940])
    mad_ns: int = Field(description="Median of the distances from the median.", examples=[1_204])
    min_ns: int = Field(examples=[48_113])
    max_ns: int = Field(examples=[63_996])


class FunctionInstances(Answer):
    """Calls as columns of equal length. Two of them can be compared by `GET /api/v1/diff`."""

    function: str = Field(examples=["smp_apic_timer_interrupt"])
    count: int = Field(description="Calls that were found, whether they are shown or not.", examples=[4_812])
    spread: Spread | None = Field(description="Of all that were found; null of none.")
    median: str | None = Field(description="Id of the call of median length.", examples=["call-1213@4500.0"])
    is_decimated: bool = Field(description="Not all that were found are shown.")
    notes: list[str] = Field(description="Where not all of the recording was looked at: how much.")
    id: list[str] = Field(examples=[["call-1213@4500.0"]])
    t: list[int] = Field(examples=[[4_500]])
    duration_ns: list[int] = Field(examples=[[63_996]])
    cpu: list[int] = Field(examples=[[1]])
    pid: list[int | None] = Field(examples=[[1213]])
    is_root: list[bool] = Field(description="No other traced function called it.", examples=[[True]])
