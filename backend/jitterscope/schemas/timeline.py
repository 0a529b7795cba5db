"""The timeline of a window."""

from pydantic import Field

from jitterscope.schemas.model import Answer
from jitterscope.schemas.windows import LaneColumns, PixelWidth, TaskName, WindowQuery


class TimelineQuery(WindowQuery):
    width: PixelWidth = None
    lanes: str | None = Field(
        None,
        max_length=4_000,
        description="Lanes, separated by commas: `sched`, `counters`, `cpu0`, `cpu0.irq`; all if absent.",
        examples=["cpu0,cpu1.irq"],
    )
    tasks: str | None = Field(
        None,
        max_length=1_000,
        description="Tasks that get their own lanes, by pid, separated by commas; 64 at most. With "
        "`lanes=task` there are no others.",
        examples=["1359,20"],
    )


class LaneTask(Answer):
    """Whose lane it is."""

    pid: int = Field(examples=[1213])
    comm: str = Field(examples=["cyclictest"])
    prio: int | None = Field(description="The kernel's priority that it ran with most often.", examples=[19])


class TimelineLane(LaneColumns):
    """A lane of a CPU, or of a task.

    A slice on the lane of a task without a symbol is time on a CPU; the others are `runnable`, `preempted`
    or `blocked`, with what it slept for where that is recorded. Its buckets leave out blocked time: `busy_ns`
    is time on a CPU, `waiting_ns` time in which it wanted one.
    """

    id: str = Field(examples=["cpu0.sched"])
    cpu: int | None = Field(description="null on the lane of a task", examples=[0])
    kind: str = Field(description="As the catalog's `slice_kinds` name it.", examples=["sched"])
    depth: int = Field(
        description="Of a task: 0 what it does, 1 interrupts and 2 softirqs while it has a CPU, "
        "3 stretches in which it was lent a priority.",
        examples=[0],
    )
    task: LaneTask | None = None
    on_cpu: list[int] | None = Field(
        None, description="Of a task: where it runs, else where it left a CPU or was woken. Not of buckets."
    )
    waiting_ns: list[int] | None = Field(
        None, description="Of a task: time in the bucket in which it was runnable or preempted."
    )


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
    """At most a megabyte, whatever the trace and the window: where lanes need more, all get longer buckets.

    Of more than 1,000 losses those of a CPU in one bucket are one, of more than 200 notes the first of each
    bucket is kept.
    """

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
    hidden_lanes: int = Field(
        description="Lanes and counters that are left out because not even one bucket of each would fit; "
        "`lanes` asks for fewer.",
        examples=[0],
    )
