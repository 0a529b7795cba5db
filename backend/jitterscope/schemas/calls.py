"""Function calls over time."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from jitterscope.schemas.model import Answer
from jitterscope.schemas.windows import LaneColumns, TaskName, WindowQuery


class CallFilterQuery(WindowQuery):
    cpu: str | None = Field(
        None, max_length=4_000, description="CPUs, separated by commas.", examples=["0,1"]
    )
    pid: str | None = Field(None, max_length=4_000, description="Pids, separated by commas.")
    root: str | None = Field(
        None, max_length=512, description="Only calls of this function and what they call."
    )


class CallsQuery(CallFilterQuery):
    width: str | None = Field(None, max_length=64, description="Pixels, 2 to 5000.", examples=["1600"])
    min: str | None = Field(None, max_length=64, description="Shortest call, such as `50us`.")
    by: str | None = Field(None, max_length=16, description="Lanes by `cpu` or by `task`.")


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


class CallInContext(BaseModel):
    """One call with the calls that it lies in, outermost first, and those that it makes."""

    model_config = ConfigDict(extra="forbid")

    call: dict[str, Any]  # columns of one call, declared by the core
    parents: list[dict[str, Any]]  # likewise
    children: list[dict[str, Any]]  # likewise
