"""Latencies: cases one by one, and the kinds of them."""

from typing import Annotated, Literal

from pydantic import Field

from jitterscope.schemas.event_fields import Unit
from jitterscope.schemas.model import Answer, QueryModel
from jitterscope.schemas.windows import ListQuery, WindowQuery

Lateness = Annotated[
    Literal["measured", "late", "long", "asleep"],
    Field(
        description="What a long case means: how late the measured thread was, how late something else was, "
        "how long something took, or how long a requested sleep lasted.",
        examples=["late"],
    ),
]


class TaskFilterQuery(QueryModel):
    """Whose latencies are meant; all if nothing is given."""

    pid: str | None = Field(None, max_length=4_000, description="Pids, separated by commas.")
    comm: str | None = Field(None, max_length=512, description="Name of the task.", examples=["cyclictest"])
    priority_class: str | None = Field(
        None,
        max_length=64,
        description="Classes of the tasks, separated by commas: `deadline`, `real_time`, `fair`. A task has "
        "the class of the priority that it ran with most often; where no event says, it has none.",
        examples=["deadline,real_time"],
    )


class LatencyKindsQuery(TaskFilterQuery):
    pass


class LatencyTasksQuery(TaskFilterQuery):
    limit: int = Field(50, ge=1, le=1000)


class LatencyFilterQuery(TaskFilterQuery, WindowQuery):
    cpu: str | None = Field(
        None, max_length=4_000, description="CPUs on which it ended, separated by commas.", examples=["0,1"]
    )
    key: str | None = Field(
        None,
        max_length=512,
        description="What the kind is keyed by, its `key_name`: an interrupt, a vector, a caller, a syscall.",
    )
    field: str | None = Field(
        None,
        max_length=512,
        description="Any field that holds a number, as `<event>.<field>`; `event-fields` lists them.",
        examples=["hrtimer_cb.delta"],
    )
    unit: Unit | None = Field(
        None,
        description="With `field`: the unit of its values. If absent, what the text of the events says.",
        examples=["us"],
    )


class LatenciesQuery(LatencyFilterQuery, ListQuery):
    kind: str | None = Field(
        None,
        max_length=4_000,
        description="Kinds, separated by commas; all if absent. `latencies/kinds` lists them.",
        examples=["wakeup"],
    )
    min: str | None = Field(None, max_length=64, description="Shortest, such as `50us`.", examples=["50us"])
    max: str | None = Field(None, max_length=64, description="Longest, such as `10ms`.")
    sort: Literal["worst", "-duration", "duration", "t", "-t"] | None = Field(
        None,
        description="`worst` (the default: the longest first, those flagged `starting` last), `-duration`, "
        "`duration`, `t` or `-t`.",
    )
    limit: int = Field(20, ge=1, le=1000)
    cursor: str | None = Field(None, max_length=256)


class LatencyItem(Answer):
    """One case. Its permalink is `{base}/t/{trace id}/cases/{case id}`; `@` and `+` stay as they are."""

    id: str = Field(
        description="`<kind>-<pid or cpuN>@<absolute ns of the start>`, and `+1`, `+2` ... where several "
        "began at once: made of what the case is, so that it outlives loading the file again.",
        examples=["wakeup-1213@2563695119000"],
    )
    kind: str = Field(examples=["wakeup"])
    t: int = Field(description="Start, from the trace's first record.", examples=[998_000])
    end: int = Field(examples=[1_005_000])
    duration_ns: int = Field(description="Of a bare number, the number.", examples=[7_000])
    unit: Literal["ns", "none"] = Field(
        description="Unit of `duration_ns`; `none` for a bare number of an event, or an FTQ count.",
        examples=["ns"],
    )
    cpu: int = Field(description="The CPU on which it ended.", examples=[1])
    start_cpu: int | None = Field(description="Where it began, if that is another CPU.", examples=[0])
    pid: int | None = Field(examples=[1213])
    comm: str | None = Field(examples=["cyclictest"])
    key: str | None = Field(description="What the kind is keyed by.", examples=[None])
    flags: list[str] = Field(examples=[["migrated"]])
    weight: int = Field(
        description="How many equal measurements it represents: more than 1 for a bar of a histogram.",
        examples=[1],
    )
    detail: str = Field(description="What else is known of it.", examples=["woken on CPU 0, slept 990 µs"])
    headline: str = Field(
        description="What happened and why, as its own page says it; unexplained, what happened.",
        examples=["Wakeup of cyclictest-1213 on CPU 1 took 7.0 µs: behind hog-7 (rt 90) for 5.0 µs"],
    )
    is_explained: bool = Field(
        description="False where a list would have taken too long to explain all of its cases: opening the "
        "case explains it. Numbers that are no durations are never explained."
    )
    url: str = Field(
        description="The permalink.",
        examples=["http://127.0.0.1:8000/t/gq3tqmzqmjrd/cases/wakeup-1213@2563695119000"],
    )


class LatencyPage(Answer):
    items: list[LatencyItem]
    next: str | None = Field(description="Pass it as `cursor` for the next page; null on the last.")


class HistogramBin(Answer):
    """How many fell into `[low_ns, high_ns)`."""

    low_ns: int = Field(examples=[4_096])
    high_ns: int = Field(examples=[8_192])
    count: int = Field(examples=[311])


class IncompleteLatencies(Answer):
    """What began or ended, and gives no number."""

    reason: str = Field(
        description="lost_events, unrecorded, no_start, no_end, out_of_order, tick_clock, laid_out, early, "
        "interrupted or not_listed (a program stated only how many it measured)",
        examples=["lost_events"],
    )
    count: int = Field(examples=[3])
    sentence: str = Field(examples=["Events were lost between the start and the end."])


class LatencyKindAnswer(Answer):
    """A kind of latency, and what the whole trace has of it."""

    kind: str = Field(examples=["wakeup"])
    title: str = Field(examples=["Wakeup latency"])
    definition: str = Field(
        examples=["From sched_waking (else sched_wakeup) to the first sched_switch to the task."]
    )
    key_name: str | None = Field(description="What `key` is, where there is one.", examples=[None])
    lateness: Lateness
    groups: list[str] = Field(
        description="What statistics can be grouped by.", examples=[["cpu", "pid", "comm", "sleep"]]
    )
    has_tail: bool = Field(
        description="Whether the causes of slow samples are compared with those of ordinary ones.",
        examples=[True],
    )
    count: int = Field(examples=[1_500])
    min_ns: int | None = Field(examples=[2_000])
    mean_ns: int | None = Field(examples=[5_200])
    max_ns: int | None = Field(examples=[84_000])
    log2_histogram: list[HistogramBin]
    incomplete: list[IncompleteLatencies]
    worst: LatencyItem | None
    missing: list[list[str]] | None = Field(
        description="Where there is none: alternatives of events to record, without those that were. null "
        "where all were recorded, and it did not happen.",
        examples=[[["sched_waking"]]],
    )


class LatencyKinds(Answer):
    """Every kind that this version knows, in a fixed order.

    With a filter on tasks, counts, maxima and worst cases are of those tasks; kinds that are not about tasks
    have none.
    """

    items: list[LatencyKindAnswer]


PriorityClass = Literal["deadline", "real_time", "fair"]


class LatencyTask(Answer):
    """A task that has latencies, and its worst one of the kind that says most about it."""

    pid: int | None = Field(examples=[1213])
    comm: str = Field(examples=["cyclictest"])
    prio: int | None = Field(
        description="The kernel's priority that it ran with most often; null where no event says.",
        examples=[19],
    )
    priority_class: PriorityClass | None = Field(examples=["real_time"])
    is_measured: bool = Field(
        description="The recording is about it: the label `task` names it, it is a program that measures, or "
        "it sleeps by the clock with a real-time or deadline priority."
    )
    count: int = Field(description="Samples of the kind of `worst`.", examples=[1_500])
    worst: LatencyItem = Field(
        description="With the reason in its headline for the first 20 tasks, and for those explained at load."
    )


class LatencyTasks(Answer):
    """What the recording is about first, then by class and priority, then by the worst case."""

    items: list[LatencyTask]
    is_truncated: bool = Field(description="There are more tasks than `limit`.")
