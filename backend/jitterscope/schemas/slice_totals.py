"""What took the time of a window, summed by CPU and name."""

from pydantic import Field

from jitterscope.schemas.model import Answer
from jitterscope.schemas.windows import TaskName, WindowQuery


class SliceTotalsQuery(WindowQuery):
    cpu: str | None = Field(None, max_length=4_000, description="CPUs, separated by commas.")
    cursor: str | None = Field(None, max_length=1000)


class SliceTotal(Answer):
    """Slices of one kind and name on one CPU; of those over the edge of the window, the part inside."""

    cpu: int = Field(examples=[1])
    kind: str = Field(examples=["sched"])
    task_idx: int | None = Field(description="Of tasks that ran: index into `tasks` of the same answer.")
    symbol_idx: int | None = Field(description="Of all else: index into `symbols` of the same answer.")
    count: int = Field(examples=[37])
    total_ns: int = Field(description="Inside the window.", examples=[1_200_000])
    max_ns: int = Field(description="Length of the longest, whole.", examples=[60_000])
    max_start: int = Field(description="Start of the longest.", examples=[4_500])


class LeftOutTotals(Answer):
    """Beyond the largest of an answer."""

    rows: int = Field(examples=[0])
    count: int = Field(examples=[0])
    total_ns: int = Field(examples=[0])


class SliceTotals(Answer):
    """Summing up takes time: what was not summed up yet follows from `next`."""

    tasks: list[TaskName]
    symbols: list[str]
    items: list[SliceTotal]
    left_out: LeftOutTotals
    next: str | None
