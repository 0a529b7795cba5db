"""What an abnormal call or case has that a normal one has not."""

from typing import Generic, Literal, TypeVar

from pydantic import ConfigDict, Field

from jitterscope.schemas.diff_example import DIFF_EXAMPLE
from jitterscope.schemas.function_instances import Spread
from jitterscope.schemas.model import Answer, QueryModel

T = TypeVar("T")

_SIDE = (
    "`<trace>/<call>`, `<trace>/<case>`, or a group: `<trace>/calls:<function>` for all calls of a function, "
    "`<trace>/cases:<kind>` for all cases of a kind, each with `;cpu=1`, `;pid=`, `;min=50us`, `;max=`, "
    "`;start=` or `;end=` behind it, cases also with `;comm=` or `;key=`"
)


class DiffQuery(QueryModel):
    abnormal: str = Field(
        min_length=1,
        max_length=1_100,
        description=f"{_SIDE}. Of a group, the median one is compared, and each call is counted in all.",
        examples=["gq3tqmzqmjrd/call-1213@4500.0"],
    )
    normal: str = Field(
        "auto",
        min_length=1,
        max_length=1_100,
        description=f"{_SIDE}; `auto`: the median one of those like it in the trace; `all`: all of them.",
        examples=["auto"],
    )
    noise_floor: str | None = Field(
        None, max_length=64, description="Contributions below it are summed up, such as `500ns`."
    )
    limit: int = Field(2_000, ge=1, le=20_000, description="Rows; those that matter most are shown.")
    format: Literal["json", "text", "html"] | None = Field(
        None, description="Else what the `Accept` header prefers: application/json, text/plain or text/html."
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
    """Something around the two that differs, or that cannot be known where it matters."""

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
    """Calls that stand at one place and add to the difference together."""

    names: list[str] = Field(examples=[["ktime_get", "hrtimer_forward", "hrtimer_start_range_ns"]])
    under: str | None = Field(description="Who calls them.", examples=["enqueue_task_rt"])
    path: list[str] = Field(description="All callers, the root first.")
    row: int = Field(description="Where in `rows`.", examples=[17])
    delta_ns: int = Field(description="Abnormal minus normal.", examples=[8_369])
    count: int = Field(description="Calls.", examples=[3])
    is_interrupt: bool = Field(examples=[False])
    repeat: Literal["new", "more", "moved"] | None = Field(
        description="Of what one side only makes at a place: the other side does not make it there at all "
        "(`new`), makes it fewer times (`more`), or as often but in another order (`moved`).",
        examples=["new"],
    )
    hit: list[str] = Field(description="Of interrupts: the functions that they hit.", examples=[[]])
    sentence: str
    seen: DiffSeenSides | None = Field(description="Null unless a side is a group.")
    distance_mad: float | None = Field(
        description="How many times the normal set's usual distance it is from its median; of a call that "
        "both sides make, by itself.",
        examples=[9.5],
    )


class DiffRest(Answer):
    """What is not shown one by one."""

    count: int = Field(examples=[0])
    delta_ns: int = Field(examples=[0])


class DiffContributions(Answer):
    """All of the difference, the largest first: the two lists and what is below the floor add up to it."""

    only_one_side: list[DiffContribution] = Field(description="Calls that only one side makes, whole.")
    slower: list[DiffContribution] = Field(description="Calls that both make, by themselves.")
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

    Interrupts stand at the end of the root's children; the functions that they hit do not count them.
    """

    id: list[int] = Field(description="The number of the row.")
    parent: list[int | None]
    depth: list[int]
    name: list[str]
    other_name: list[str | None] = Field(description="The normal one's name, where it is another.")
    status: list[str] = Field(
        description="matched, added (only in the abnormal one), removed (only in the normal one), or elided: "
        "a `...` of the other side stands for it."
    )
    kind: list[str] = Field(description="call, interrupt, softirq or event")
    delta_ns: list[int] = Field(description="Abnormal minus normal, with all that lies below.")
    self_delta_ns: list[int] = Field(description="Without it; all of them add up to the difference.")
    is_ambiguous: list[bool] = Field(description="Another reading would cost the same.")
    largest_ns: list[int] = Field(description="Largest own difference of it and of all below, unsigned.")
    hit: list[str | None] = Field(description="Of an interrupt: the function that it hit.")


class Diff(Sides[DiffSide]):
    """A comparison. docs/diff.md says what the numbers mean."""

    model_config = ConfigDict(json_schema_extra={"examples": [DIFF_EXAMPLE]})

    kind: Literal["calls", "events"]
    delta_ns: int = Field(examples=[10_056])
    summary: str = Field(
        examples=[
            "+10.056 µs: 8.369 µs in calls that the normal one does not make (ktime_get, hrtimer_forward, "
            "hrtimer_start_range_ns under enqueue_task_rt), 1.687 µs spread over slower calls."
        ]
    )
    is_doubtful: bool = Field(description="Something in `guard` makes the comparison doubtful.")
    guard: list[DiffGuard]
    contributions: DiffContributions
    rows: DiffRows
    rows_hidden: DiffRest = Field(description="Rows past the limit, by their own differences.")
    notes: list[str]
    url: str = Field(description="The page of the comparison.")
