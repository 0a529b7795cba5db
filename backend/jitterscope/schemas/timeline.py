"""The timeline of a window."""

from pydantic import Field

from jitterscope.schemas.model import Answer
from jitterscope.schemas.windows import LaneColumns, TaskName, WindowQuery


class TimelineQuery(WindowQuery):
    width: str | None = Field(None, max_length=64, description="Pixels, 2 to 5000.", examples=["1600"])
    lanes: str | None = Field(
        None,
        max_length=4_000,
        description="Lanes, separated by commas: `sched`, `counters`, `cpu0`, `cpu0.irq`; all if absent.",
        examples=["cpu0,cpu1.irq"],
    )


class TimelineLane(LaneColumns):
    id: str = Field(examples=["cpu0.sched"])
    cpu: int = Field(examples=[0])
    kind: str = Field(description="As the catalog's `slice_kinds` name it.", examples=["sched"])
    depth: int = Field(examples=[0])


class CounterLane(Answer):
    """A step function: each value holds until the next. The first may lie before the window."""

    name: str = Field(examples=["cpu_frequency"])
    unit: str | None = Field(examples=["kHz"])
    cpu: int | None = Field(description="null for the whole machine", examples=[0])
    t: list[int]
    value: list[int]


class LossItem(Answer):
    """A stretch in which events were lost: absence there proves nothing."""

    cpu: int | None
    start: int
    end: int
    lost_count: int | None = Field(description="null where the file does not say how many")


class NoteItem(Answer):
    """What a person wrote beside a line of the file."""

    t: int
    cpu: int | None
    text: str


class Timeline(Answer):
    start: int
    end: int
    width: int
    cpus: list[int]
    tasks: list[TaskName]
    symbols: list[str]
    lanes: list[TimelineLane]
    counters: list[CounterLane]
    losses: list[LossItem]
    notes: list[NoteItem]
