"""Arrows from what caused something to what it caused."""

from pydantic import Field

from jitterscope.schemas.model import Answer
from jitterscope.schemas.windows import TaskName, WindowQuery


class ArrowsQuery(WindowQuery):
    pid: str | None = Field(
        None, max_length=4_000, description="Tasks in whose context either end is, by pid.", examples=["1213"]
    )
    cpu: str | None = Field(None, max_length=4_000, description="CPUs of either end.", examples=["0,1"])
    kinds: str | None = Field(
        None,
        max_length=1_000,
        description="Kinds, separated by commas, as the catalog's `arrows` name them; all if absent.",
        examples=["wakeup,timer"],
    )
    limit: int | None = Field(None, ge=1, le=5000, description="Arrows; 300 if absent.", examples=[300])


class Arrows(Answer):
    """Columns of equal length, one element an arrow, by the time of its beginning.

    An arrow is in the window if either of its ends is. Shown are the longest, the earliest of equals.
    """

    start: int
    end: int
    tasks: list[TaskName]
    kind: list[str] = Field(examples=[["wakeup"]])
    what: list[str | None] = Field(
        description="Function of the timer or the work, name of the softirq or the interrupt.",
        examples=[["hrtimer_wakeup"]],
    )
    from_t: list[int] = Field(description="Nanoseconds from the trace's first record.", examples=[[4_500]])
    from_cpu: list[int]
    from_pid: list[int | None] = Field(description="The task in whose context it begins; 0 is idle.")
    from_task_idx: list[int | None] = Field(description="Index into `tasks` of the same answer.")
    from_event: list[str] = Field(
        description="The event as `event=` of the timeline's address names it.", examples=[["cpu1@2160118"]]
    )
    to_t: list[int] = Field(examples=[[7_000]])
    to_cpu: list[int]
    to_pid: list[int | None] = Field(
        description="The task in whose context it ends; of a wakeup the woken one."
    )
    to_task_idx: list[int | None] = Field(description="Index into `tasks` of the same answer.")
    to_event: list[str] = Field(examples=[["cpu1@2162618"]])
    hidden: dict[str, int] = Field(
        description="Arrows of each kind that are in the window and not shown.", examples=[{"wakeup": 1204}]
    )
    is_complete: bool = Field(
        description="False where `pid` or `cpu` are given and the window holds more than an answer reads: "
        "there may be longer ones, and `hidden` counts are lower bounds. Choose a shorter window."
    )
    recorded: list[str] = Field(
        description="Kinds of which the trace has any.", examples=[["wakeup", "timer"]]
    )
