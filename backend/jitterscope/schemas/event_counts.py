"""How many events match a filter, by CPU and time."""

from pydantic import Field

from jitterscope.schemas.model import Answer
from jitterscope.schemas.windows import EventFilter


class EventCountsQuery(EventFilter):
    width: int | None = Field(
        None, ge=2, le=5000, description="Cells at most; 1600 if absent.", examples=[1600]
    )
    cursor: str | None = Field(None, max_length=1000)


class CpuEventCounts(Answer):
    """The cells in which anything matches, as columns of equal length."""

    cpu: int = Field(examples=[1])
    count: int = Field(description="Of all its cells.", examples=[37])
    t: list[int] = Field(description="Start of each cell.", examples=[[0, 1_000]])
    duration_ns: list[int] = Field(examples=[[1_000, 1_000]])
    counts: list[int] = Field(examples=[[36, 1]])


class EventCounts(Answer):
    """Counting takes time: what was not counted yet follows from `next`, in the same cells."""

    count: int = Field(description="Matches in this answer.", examples=[37])
    cpus: list[CpuEventCounts]
    next: str | None
