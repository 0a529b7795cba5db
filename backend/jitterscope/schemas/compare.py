"""Experiments: variants, each a group of traces, compared by one measure."""

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from jitterscope.schemas.model import Answer, QueryModel
from jitterscope.store.labels import LabelName, LabelValue

_MAX_TEXT = 512


class CompareMeasure(BaseModel):
    """A kind of latency, or one source of measurements, or one field of events."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str | None = Field(None, max_length=64, examples=["wakeup"])
    field: str | None = Field(
        None, max_length=_MAX_TEXT, description="A field that holds durations: kind `field`.", examples=[None]
    )
    source: str | None = Field(
        None,
        max_length=_MAX_TEXT,
        description="Of the kind `measured`: which program and thread.",
        examples=[None],
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

    name: str = Field(min_length=1, max_length=200, examples=["before"])
    traces: list[Annotated[str, Field(max_length=64)]] = Field([], max_length=2_000)
    labels: dict[LabelName, LabelValue] = Field({}, max_length=20, examples=[{"load": "none"}])

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if bool(self.traces) == bool(self.labels):
            raise ValueError("either traces or labels have to be given")
        return self


class CompareWhere(BaseModel):
    """Which samples are meant; one of these at a time."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cpu: int | None = Field(None, ge=0, le=32_767)
    comm: str | None = Field(None, max_length=_MAX_TEXT)


class CompareBody(BaseModel):
    """The first variant is what the others are compared with."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    measure: CompareMeasure
    variants: list[CompareVariant] = Field(min_length=1, max_length=20)
    where: CompareWhere = CompareWhere()

    @model_validator(mode="after")
    def _has_names(self) -> Self:
        names = [variant.name for variant in self.variants]
        if len(set(names)) < len(names):
            raise ValueError("two variants have the same name")
        return self


class CompareQuery(QueryModel):
    """The same in a query string, which is the state of the page.

    A variant is `name=id,id,…` or `name=label:value,label:value,…`.
    """

    kind: str | None = Field(None, max_length=64)
    field: str | None = Field(None, max_length=_MAX_TEXT)
    source: str | None = Field(None, max_length=_MAX_TEXT)
    cpu: int | None = Field(None, ge=0, le=32_767)
    comm: str | None = Field(None, max_length=_MAX_TEXT)
    variant: list[Annotated[str, Field(max_length=32_768)]] = Field(
        min_length=1, max_length=20, examples=[["before=isolated:no", "after=isolated:yes"]]
    )


_NANOSECONDS = "Nanoseconds; of counts, the number."
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


class CompareCause(Answer):
    """What took a CPU, before and after."""

    variant: str = Field(examples=["after"])
    cpu: int = Field(examples=[1])
    cause: str = Field(description="The kind of interference.", examples=["softirq"])
    what: str | None = Field(description="Which one: a task, an interrupt, a vector.", examples=["TIMER"])
    from_per_s: float = Field(description="Runs a second.", examples=[1000.0])
    to_per_s: float = Field(examples=[0.0])
    from_share: float = Field(description="Of the CPU's time.", examples=[0.0098])
    to_share: float = Field(examples=[0.0])
    from_mean_ns: int | None = Field(description="Of a run.", examples=[9_800])
    to_mean_ns: int | None
    from_max_ns: int | None
    to_max_ns: int | None
    is_real: bool | None = Field(description="Whether the share differs; null where too few traces tell.")


class CompareAnswer(Answer):
    unit: str = Field(description="Of every `_ns`: ns, or none for counts.", examples=["ns"])
    variants: list[ComparedVariant]
    sentence: str = Field(
        description="What the last variant differs in from the first.",
        examples=["p99 fell from 28 µs to 24 µs (-14 %, 95 % interval -4 % to -21 %)."],
    )
    sentences: list[str] = Field(description="The same for each variant but the first.")
    differences: list[CompareDifference]
    causes: list[CompareCause] = Field(description="For each variant, those with the largest difference.")
    guard: list[str] = Field(description="What else differs, or is not known.")
    url: str = Field(description="This comparison as a GET.")
