"""Function calls over time."""

from typing import Literal

from pydantic import Field

from jitterscope.schemas.model import Answer
from jitterscope.schemas.windows import LaneColumns, ListQuery, PixelWidth, TaskName, WindowQuery


class CallFilterQuery(WindowQuery):
    cpu: str | None = Field(
        None, max_length=4_000, description="CPUs, separated by commas.", examples=["0,1"]
    )
    pid: str | None = Field(None, max_length=4_000, description="Pids, separated by commas.")
    root: str | None = Field(
        None, max_length=512, description="Only calls of this function and what they call."
    )


class CallsQuery(CallFilterQuery, ListQuery):
    width: PixelWidth = None
    min: str | None = Field(None, max_length=64, description="Shortest call, such as `50us`.")
    by: Literal["cpu", "task"] | None = Field(None, description="Lanes by `cpu` or by `task`.")


class CallLane(LaneColumns):
    id: str = Field(description="The same for all depths.", examples=["cpu0", "task-1213"])
    cpu: int | None
    lane_task_idx: int | None = Field(description="The lane's task, where lanes are by task.")
    depth: int


class Calls(Answer):
    start: int
    end: int
    width: int
    tasks: list[TaskName]
    symbols: list[str]
    lanes: list[CallLane]


class CallItem(Answer):
    id: str = Field(examples=["call-1213@4500.2"])
    symbol: str
    t: int
    duration_ns: int
    self_ns: int
    depth: int
    cpu: int
    pid: int | None
    comm: str | None
    args: str = Field(description="As printed; empty where the file has none.")
    retval: str = Field(description="As printed; empty where the file has none.")
    started_before: bool = Field(description="The file begins after the call did.")
    cut_at_end: bool = Field(description="The file ends before the call did.")
    has_gap: bool = Field(description="Events were lost inside it.")


class CallInContext(Answer):
    """One call, and the calls that it lies in from the innermost outwards."""

    call: CallItem
    callers: list[CallItem]
