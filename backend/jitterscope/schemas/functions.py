"""Statistics of functions."""

from pydantic import Field

from jitterscope.schemas.model import Answer
from jitterscope.schemas.windows import ListQuery


class FunctionsQuery(ListQuery):
    q: str | None = Field(None, max_length=200, description="Part of the name or the module.")
    sort: str | None = Field(
        None, max_length=32, description="-total, -self, -count, -max, ...; the sign is the direction."
    )
    limit: int = Field(100, ge=1, le=1000)
    cursor: str | None = Field(None, max_length=1000)


class SlowestCall(Answer):
    id: str = Field(examples=["call-1213@4500.2"])
    t: int
    cpu: int
    pid: int | None
    comm: str | None


class FunctionItem(Answer):
    symbol: str = Field(examples=["hrtimer_start_range_ns"])
    module: str | None
    count: int
    total_ns: int
    self_ns: int
    min_ns: int
    p50_ns: int
    p99_ns: int
    max_ns: int
    percentile_error_ppm: int = Field(
        description="how far p50_ns and p99_ns may lie from the exact percentiles, in millionths of them;"
        " 0 for up to 1,024 calls, whose percentiles are exact",
        examples=[0],
    )
    slowest: SlowestCall


class FunctionPage(Answer):
    items: list[FunctionItem]
    next: str | None
