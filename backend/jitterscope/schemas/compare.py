"""Experiments: variants, each a group of traces, compared by one measure."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from jitterscope.schemas.latencies import HistogramBin, Lateness, PriorityClass
from jitterscope.schemas.latency_stats import Shelves
from jitterscope.schemas.model import Answer, QueryModel
from jitterscope.schemas.strata import CompareStrata, StratumText
from jitterscope.schemas.text import AnyTraceId, KindName, RecordedName, Text
from jitterscope.store.labels import LabelName, LabelValue

_MAX_TEXT = 512


# The parameter of the same name of the latencies of one trace.
PriorityClasses = Annotated[
    str,
    Field(
        max_length=64,
        pattern="^(deadline|real_time|fair)(,(deadline|real_time|fair))*$",
        description="Classes of the tasks, separated by commas: `deadline`, `real_time`, `fair`. A task has "
        "the class of the priority that it ran with most often; where no event says, it has none.",
        examples=["deadline,real_time"],
    ),
]


class CompareMeasure(BaseModel):
    """A kind of latency, or one source of measurements, or one field of events."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: KindName | None = Field(None, examples=["wakeup"])
    field: RecordedName | None = Field(
        None, description="A field that holds durations: kind `field`.", examples=[None]
    )
    source: RecordedName | None = Field(
        None, description="Of the kind `measured`: which program and thread.", examples=[None]
    )

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if self.field is not None and self.kind not in {None, "field"}:
            raise ValueError("field goes with the kind field")
        if self.source is not None and self.kind not in {None, "measured"}:
            raise ValueError("source goes with the kind measured")
        if self.kind is None and (self.field is None) == (self.source is None):
            raise ValueError("one of kind, field and source has to be given")
        return self


class CompareVariant(BaseModel):
    """Traces by id, or all that have these labels."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[Text, Field(min_length=1, max_length=200)] = Field(examples=["before"])
    traces: list[AnyTraceId] = Field([], max_length=2_000)
    labels: dict[LabelName, LabelValue] = Field({}, max_length=20, examples=[{"load": "none"}])

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if bool(self.traces) == bool(self.labels):
            raise ValueError("either traces or labels have to be given")
        return self


class CompareWhere(BaseModel):
    """Which samples are meant. Sums are kept of a CPU and of tasks of one name; of a class, and of both, the
    samples of each trace are read."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cpu: int | None = Field(None, ge=0, le=32_767)
    comm: RecordedName | None = None
    priority_class: PriorityClasses | None = None

    def conditions(self) -> frozenset[tuple[str, object]]:
        """What is asked of a sample; classes are the same in any order."""
        given = self.model_dump(exclude_none=True)
        classes = given.pop("priority_class", None)
        named = set(given.items())
        return frozenset(named if classes is None else {*named, ("priority_class", _sorted(classes))})


def _sorted(classes: str) -> str:
    return ",".join(sorted(set(classes.split(","))))


class CompareBody(BaseModel):
    """The first variant is what the others are compared with."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    measure: CompareMeasure
    variants: list[CompareVariant] = Field(min_length=1, max_length=20)
    where: CompareWhere = CompareWhere()
    strata: list[StratumText] = Field([], max_length=2, description="Rows and columns of a table.")

    @model_validator(mode="after")
    def _has_names(self) -> Self:
        names = [variant.name for variant in self.variants]
        if len(set(names)) < len(names):
            raise ValueError("two variants have the same name")
        return self


class MeasuresBody(BaseModel):
    """The variants whose measures are wanted."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    variants: list[CompareVariant] = Field(min_length=1, max_length=20)


class CompareFormQuery(QueryModel):
    """The form of the answer."""

    format: Literal["json", "text", "html", "svg", "png"] | None = Field(
        None,
        description="Else what the `Accept` header prefers: application/json, text/plain, text/html, "
        "image/svg+xml or image/png.",
    )


class CompareQuery(CompareFormQuery):
    """The comparison in a query string, which is the state of the page.

    A variant is `name=id,id,…` or `name=label:value,label:value,…`.
    """

    kind: str | None = Field(None, max_length=64)
    field: str | None = Field(None, max_length=_MAX_TEXT)
    source: str | None = Field(None, max_length=_MAX_TEXT)
    cpu: int | None = Field(None, ge=0, le=32_767)
    comm: str | None = Field(None, max_length=_MAX_TEXT)
    priority_class: PriorityClasses | None = None
    variant: list[Annotated[str, Field(max_length=32_768)]] = Field(
        min_length=1, max_length=20, examples=[["before=isolated:no", "after=isolated:yes"]]
    )
    strata: list[StratumText] = Field([], max_length=2)


UNIT = "Of every `_ns`: ns, none for counts, or ticks where clocks count steps of unknown length."
_NANOSECONDS = "Nanoseconds; of counts and of ticks, the number."
_Bounds = tuple[int, int]


class CompareIntervals(Answer):
    """95 % intervals from drawing the traces anew; null with too few traces, or samples past the quantile."""

    mean_ns: _Bounds | None = Field(examples=[(24_100, 25_900)])
    p50_ns: _Bounds | None
    p90_ns: _Bounds | None
    p99_ns: _Bounds | None
    p99_9_ns: _Bounds | None
    p99_99_ns: _Bounds | None


class ComparedVariant(Answer):
    """The samples of all traces of a variant together. Numbers are null where there are no samples."""

    name: str
    traces: int = Field(description="Traces that have such samples.", examples=[5])
    samples: int = Field(examples=[1_500])
    min_ns: int | None = Field(description=_NANOSECONDS)
    mean_ns: int | None
    stdev_ns: int | None = Field(description="Of the sample (n - 1); null for a single one.")
    p50_ns: int | None
    p90_ns: int | None
    p99_ns: int | None
    p99_9_ns: int | None
    p99_99_ns: int | None
    max_ns: int | None
    max_url: str | None = Field(description="The permalink of the longest case.")
    intervals: CompareIntervals
    drawn: Literal["traces", "blocks"] | None = Field(
        description="What intervals are drawn from: traces, or, with fewer than five, blocks of time of "
        "each, which say nothing of other runs. Null where there are none."
    )
    exact: bool = Field(
        description="False where quantiles lie within a 512th of their value; all else is always exact."
    )


class CompareDifference(Answer):
    """One number of a variant less that of the first variant."""

    variant: str = Field(examples=["after"])
    stat: str = Field(examples=["p99_ns"])
    before: int = Field(alias="from", description="Of the first variant.", examples=[28_000])
    after: int = Field(alias="to", examples=[24_000])
    delta_ns: int = Field(examples=[-4_000])
    share: float | None = Field(description="Of `from`; null where that is zero.", examples=[-0.143])
    interval: _Bounds | None = Field(
        description="95 % interval of `delta_ns`; null where too few traces or samples tell."
    )
    is_real: bool | None = Field(
        description="True where the interval leaves out zero and a permutation test of the traces agrees "
        "at 5 %; null where too few traces or samples tell."
    )


class CompareChange(Answer):
    """What took CPU time, before and after."""

    variant: str = Field(examples=["after"])
    cause: str = Field(description="The kind of interference.", examples=["softirq"])
    what: str | None = Field(description="Which one: a task, an interrupt, a vector.", examples=["TIMER"])
    from_per_s: float | None = Field(
        description="Runs a second; null where the clocks count ticks of unknown length.", examples=[1000.0]
    )
    to_per_s: float | None = Field(examples=[0.0])
    from_share: float = Field(description="Of the CPU's time.", examples=[0.0098])
    to_share: float = Field(examples=[0.0])
    from_mean_ns: int | None = Field(description="Of a run.", examples=[9_800])
    to_mean_ns: int | None
    from_max_ns: int | None
    to_max_ns: int | None
    interval: tuple[float, float] | None = Field(
        description="95 % interval of `to_share` less `from_share`; null where too few traces tell.",
        examples=[(-0.011, -0.008)],
    )
    is_real: bool | None = Field(description="Whether the share differs; null where too few traces tell.")


class CompareCause(CompareChange):
    """What took a CPU, before and after."""

    cpu: int = Field(examples=[1])


class CompareClassCause(CompareChange):
    """What took all CPUs of a class, before and after. Rates and shares are of one CPU, on average.

    The threads of a CPU are one: `ksoftirqd/N`.
    """

    cpu_class: Literal["isolated", "housekeeping"] = Field(examples=["isolated"])


class CompareClasses(Answer):
    """CPUs that a trace of any variant calls isolated (labels or facts `isolcpus`, `isolated`, `nohz_full`,
    or its command line), and all others. They are the same in every variant."""

    isolated: list[int] = Field(examples=[[1]])
    housekeeping: list[int] = Field(examples=[[0]])
    causes: list[CompareClassCause] = Field(description="For each variant, the largest differences first.")


class CompareTick(Answer):
    """What the scheduler's tick costs on one CPU, in all traces of a variant."""

    variant: str = Field(examples=["hz1000"])
    cpu: int = Field(examples=[1])
    count: int = Field(examples=[2_028])
    mean_ns: int = Field(examples=[15_652])
    max_ns: int = Field(examples=[1_012_000])
    per_s: float | None = Field(
        description="From the first tick of a trace to its last, idle time and all; null for a single tick.",
        examples=[999.5],
    )
    per_busy_s: float | None = Field(
        description="For each second that tasks ran: the rate of a tick that stops while the CPU is idle. "
        "Null where it does not stop.",
        examples=[1_018.2],
    )
    share: float | None = Field(
        description="Of the time while the tick is on: of the recorded time where it is on throughout, else "
        "cost × rate.",
        examples=[0.01565],
    )
    handler_known: bool = Field(
        description="False where every interrupt of the timer counts, because no event shows which are ticks."
    )
    product: str = Field(examples=["15.7 µs × 1000 Hz = 1.57 % of CPU 1"])


class CompareAnswer(Answer):
    unit: str = Field(description=UNIT, examples=["ns"])
    variants: list[ComparedVariant]
    sentence: str = Field(
        description="What the last variant differs in from the first, with the causes that are proven to "
        "have a part in it.",
        examples=["p99 rose from 43 µs to 83 µs (+93 %, 95 % interval +88 to +97 %)."],
    )
    sentences: list[str] = Field(description="The same for each variant but the first.")
    differences: list[CompareDifference]
    causes: list[CompareCause] = Field(description="For each variant, those with the largest difference.")
    classes: CompareClasses | None = Field(
        description="The same of isolated and housekeeping CPUs; null where no trace states which these are."
    )
    ticks: list[CompareTick] = Field(description="Of each variant and CPU that had ticks.")
    strata: CompareStrata | None = Field(description="null where none were asked for.")
    guard: list[str] = Field(description="What else differs and may explain a difference; what is left out.")
    notes: list[str] = Field(description="Which files the numbers come from, and what none of them states.")
    url: str = Field(description="This comparison as a GET.")


class SelectedTrace(Answer):
    id: str = Field(examples=["7hrkt6poljf7"])
    name: str = Field(examples=["cyc-run01-before"])
    labels: dict[str, str] = Field(examples=[{"isolated": "no"}])


class SelectedVariant(Answer):
    name: str = Field(examples=["before"])
    traces: list[SelectedTrace]
    missing: list[str] = Field(
        description="Ids of the variant that no trace has: they are deleted, or were never here.",
        examples=[[]],
    )


class OfferedMeasure(Answer):
    """What can be compared."""

    kind: str = Field(examples=["measured"])
    key: str | None = Field(
        description="A `source` of measurements or a `field` of events; null for all samples of the kind.",
        examples=["cyclictest thread 0"],
    )
    variants: int = Field(description="How many variants have such samples.", examples=[2])
    traces: int = Field(examples=[10])
    samples: int = Field(examples=[15_000])
    lateness: Lateness
    splits: list[str] = Field(
        description="What `strata` can split its samples by, beside `label:` and `word:`.",
        examples=[["cpu", "key"]],
    )
    measured_class: PriorityClass | None = Field(
        description="Class of the tasks that all these traces measure, which pages keep to: deadline or "
        "real-time ones that sleep by the clock. null where traces measure none or several, or where all "
        "samples are of that class.",
        examples=[None],
    )


class OfferedTask(Answer):
    """Tasks of one name and class that have latencies."""

    comm: str = Field(examples=["cyclictest"])
    priority_class: PriorityClass | None = Field(
        description="null where no event says.", examples=["real_time"]
    )
    traces: int = Field(description="How many traces have them.", examples=[10])


class MeasuresAnswer(Answer):
    variants: list[SelectedVariant]
    tasks: list[OfferedTask] = Field(
        description="At most 200: by class, then those of most traces. A name can have several classes."
    )
    measures: list[OfferedMeasure] = Field(
        description="At most 500: first those that most variants have, of these first the kinds of lateness."
    )


class VariantSpread(Answer):
    """The samples of one variant."""

    name: str = Field(examples=["before"])
    count: int = Field(examples=[15_000])
    min_ns: int
    max_ns: int
    p99_ns: int
    p99_9_ns: int
    p99_99_ns: int
    p99_999_ns: int
    histogram: list[HistogramBin] = Field(description="The same bars for every variant.")
    shelves: Shelves


class DistributionAnswer(Answer):
    unit: str = Field(description=UNIT, examples=["ns"])
    exact: bool = Field(description="False where values lie within a 512th of their value.")
    bars: str = Field(description="`equal`, or `octaves` for parts of powers of two.", examples=["octaves"])
    variants: list[VariantSpread] = Field(description="Those that have samples, in their order.")
