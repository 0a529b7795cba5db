"""Comparisons of an abnormal call or case with a normal one."""

from typing import Generic, Literal, TypeVar

from pydantic import ConfigDict, Field

from jitterscope.schemas.function_instances import Spread
from jitterscope.schemas.model import Answer, QueryModel

T = TypeVar("T")

_SIDE = (
    "`<trace>/<call>`, `<trace>/<case>`, or a group: `<trace>/calls:<function>` for all calls of a function, "
    "`<trace>/cases:<kind>` for all cases of a kind, each with `;cpu=1`, `;pid=`, `;min=50us`, `;max=`, "
    "`;start=` or `;end=`, cases also with `;comm=` or `;key=`; a group can be of up to 20 "
    "traces: `<trace>,<trace>/cases:<kind>`"
)


class DiffQuery(QueryModel):
    abnormal: str = Field(
        min_length=1,
        max_length=1_100,
        description=f"{_SIDE}. Of a group, the median instance is compared, and each call is counted in all.",
        examples=["gq3tqmzqmjrd/call-1213@4500.0"],
    )
    normal: str = Field(
        "auto",
        min_length=1,
        max_length=1_100,
        description=f"{_SIDE}; `auto`: the median of its like in the trace; `all`: all of its like; "
        "`<trace>/auto`, `<trace>/all`: of its like in another trace.",
        examples=["auto"],
    )
    noise_floor: str | None = Field(
        None,
        max_length=64,
        description="Contributions below it are combined. Such as `500ns`; 1 % of the difference "
        "where absent, `0` for none.",
    )
    limit: int = Field(
        2_000, ge=1, le=20_000, description="The most rows; those with the largest differences are shown."
    )
    format: Literal["json", "text", "html", "svg", "png"] | None = Field(
        None,
        description="Else what the `Accept` header prefers: application/json, text/plain, text/html, "
        "image/svg+xml or image/png.",
    )


class Sides(Answer, Generic[T]):
    """Something of each side. What differs is abnormal minus normal."""

    abnormal: T = Field(description="Of the instance in question.")
    normal: T = Field(description="Of what it is compared with.")


class DiffSet(Spread):
    """The instances of a side together, where they are several."""

    used: int = Field(description="How many were aligned one by one.", examples=[2_000])


class DiffSide(Answer):
    """A call or case; of a group, the one of median length."""

    trace: str = Field(examples=["gq3tqmzqmjrd"])
    trace_name: str = Field(examples=["timer-interrupt-abnormal"])
    id: str = Field(description="Of the call or case.", examples=["call-cpu1@0.0"])
    title: str = Field(examples=["smp_apic_timer_interrupt on CPU 1"])
    cpu: int = Field(examples=[1])
    pid: int | None = Field(examples=[None])
    comm: str | None = Field(examples=[None])
    t: int = Field(examples=[0])
    duration_ns: int = Field(examples=[63_996])
    url: str = Field(description="Its page.")
    set: DiffSet | None = Field(description="Where the side is a group.")


class DiffGuard(Sides[str | None]):
    """A circumstance that differs between the sides, or may."""

    name: str = Field(examples=["kernel"])
    is_doubtful: bool = Field(description="It may be the reason for differences.", examples=[True])
    sentence: str


class DiffSeen(Answer):
    """In how many instances of a side something is there."""

    seen: int = Field(examples=[0])
    of: int = Field(description="Instances that were aligned.", examples=[2_000])


class DiffSeenSides(Sides[DiffSeen]):
    """In how many instances of each side something is there."""


class DiffContribution(Answer):
    """Calls at one place of the tree, which contribute to the difference together."""

    names: list[str] = Field(examples=[["ktime_get", "hrtimer_forward", "hrtimer_start_range_ns"]])
    under: str | None = Field(description="Who calls them.", examples=["enqueue_task_rt"])
    path: list[str] = Field(description="All callers, the root first.")
    row: int = Field(description="Where in `rows`.", examples=[17])
    delta_ns: int = Field(description="Abnormal minus normal.", examples=[8_369])
    count: int = Field(description="Calls.", examples=[3])
    is_interrupt: bool = Field(examples=[False])
    repeat: Literal["new", "more", "moved"] | None = Field(
        description="For calls of one side only: the other side does not make them there at all (`new`), "
        "makes them less often (`more`), or as often but in another order (`moved`).",
        examples=["new"],
    )
    hit: list[str] = Field(description="For interrupts: the functions that they hit.", examples=[[]])
    sentence: str
    seen: DiffSeenSides | None = Field(description="Null unless a side is a group.")
    distance_mad: float | None = Field(
        description="Distance from the median of the normal set, in MAD; for a call of both sides, by its "
        "self time.",
        examples=[9.5],
    )


class DiffTimes(Answer):
    """The time of both sides."""

    abnormal_ns: int = Field(examples=[2_100_000])
    normal_ns: int = Field(examples=[0])
    delta_ns: int = Field(description="Abnormal minus normal.", examples=[2_100_000])


class DiffTaskCounts(Sides[int]):
    """How many tasks of a name each side has."""


class DiffCausePart(DiffTimes):
    """What of a cause had the CPU."""

    what: str = Field(description="An interrupt, an idle state, tasks of one name.", examples=["hackbench"])
    tasks: DiffTaskCounts = Field(description="Tasks of this name; 0 where it is no task.")


class DiffCause(DiffTimes):
    """One cause on both sides, as in the blame of a case."""

    cause: str = Field(examples=["task"])
    parts: list[DiffCausePart] = Field(description="They add up to the cause; the largest difference first.")


class DiffStage(DiffTimes):
    """A stretch between two moments that both cases have."""

    model_config = ConfigDict(populate_by_name=True)

    from_: str = Field(alias="from", examples=["wakeup"])
    to: str = Field(examples=["switch"])


class DiffShape(Answer):
    """Calls of the normal side's function that call much the same."""

    # `with` is a word of Python.
    model_config = ConfigDict(populate_by_name=True)

    normal: str = Field(description="Its median call, for `normal`.", examples=["s6aa6fnilfgj/call-cpu1@0.0"])
    with_: list[str] = Field(
        alias="with", description="What distinguishes it from the others: functions that they do not call."
    )
    without: list[str] = Field(description="Functions that others call.")
    count: int = Field(examples=[828])
    median_ns: int = Field(examples=[53_940])
    is_compared: bool = Field(description="The normal side is one of them.")


class DiffRest(Answer):
    """What is not listed."""

    count: int = Field(examples=[0])
    delta_ns: int = Field(examples=[0])


class DiffContributions(Answer):
    """The whole difference, largest first: the two lists and what is below the floor add up to it."""

    only_one_side: list[DiffContribution] = Field(
        description="Calls that only one side makes, callees included."
    )
    slower: list[DiffContribution] = Field(description="Calls of both sides, by their self time.")
    below_floor: DiffRest


class DiffColumns(Answer):
    """What one side has in each row."""

    # The core leaves out how common a row is where neither side is a group.
    model_config = ConfigDict(json_schema_serialization_defaults_required=False)

    count: list[int] = Field(description="Calls of the row; equal ones in a row are folded.")
    start_ns: list[int | None] = Field(description="From the start of the side.")
    duration_ns: list[int | None]
    seen: list[int] | None = Field(None, description="In how many instances of the side it is.")
    of: list[int] | None = Field(None, description="Instances that were aligned.")
    median_ns: list[int | None] | None = Field(None, description="Over those that have it.")
    mad_ns: list[int | None] | None = None


class DiffRows(Sides[DiffColumns]):
    """Both trees in one, callers before what they call, as columns of equal length.

    Interrupts are the root's last children; the functions that they hit do not count them.
    """

    id: list[int] = Field(description="The number of the row.")
    parent: list[int | None]
    depth: list[int]
    name: list[str]
    other_name: list[str | None] = Field(description="The name on the normal side, where it differs.")
    status: list[str] = Field(
        description="matched, added (only abnormal), removed (only normal), or elided: the other side has a "
        "`...` there."
    )
    kind: list[str] = Field(description="call, interrupt, softirq or event")
    delta_ns: list[int] = Field(description="Abnormal minus normal, callees included.")
    self_delta_ns: list[int] = Field(description="Callees excluded; all of them add up to the difference.")
    is_ambiguous: list[bool] = Field(description="Another alignment would cost the same.")
    largest_ns: list[int] = Field(description="Largest self difference of it and its callees, unsigned.")
    hit: list[str | None] = Field(description="For an interrupt: the function that it hit.")


class Diff(Sides[DiffSide]):
    """A comparison. docs/diff.md says what the numbers mean."""

    kind: Literal["calls", "events"]
    unit: Literal["ns", "ticks"] = Field(
        description="Of every `_ns`: ticks where the clocks of both sides count steps of unknown length."
    )
    delta_ns: int = Field(examples=[10_056])
    summary: str = Field(
        examples=[
            "+10.06 µs: 8.37 µs in calls missing from the normal run (ktime_get, hrtimer_forward, "
            "hrtimer_start_range_ns under enqueue_task_rt), 1.69 µs in slower calls."
        ]
    )
    by_events: str | None = Field(
        description="Of cases whose `summary` is by causes: the difference by the order of their events."
    )
    causes: list[DiffCause] = Field(
        description="Of cases: what had the CPU, the largest difference first. They add up to the difference."
    )
    stages: list[DiffStage] = Field(description="Of cases: their stages, which add up to the difference.")
    shapes: list[DiffShape] = Field(
        description="Of one call against one: the shapes that calls of the function have, the most common "
        "first. `auto` is the median of the one nearest to the abnormal call. Empty where there is but one."
    )
    is_doubtful: bool = Field(description="Something in `guard` makes the comparison doubtful.")
    guard: list[DiffGuard]
    noise_floor_ns: int = Field(description="Contributions below it are combined.", examples=[100])
    contributions: DiffContributions
    rows: DiffRows
    rows_hidden: DiffRest = Field(description="Rows past the limit, by their self differences.")
    notes: list[str]
    url: str = Field(description="The page of the comparison.")
