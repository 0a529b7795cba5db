"""The tail profile of a kind of latency."""

from pydantic import Field

from jitterscope.schemas.latencies import TaskFilterQuery
from jitterscope.schemas.model import Answer


class LatencyTailQuery(TaskFilterQuery):
    kind: str = Field(
        max_length=64, description="One kind; `latencies/kinds` lists them.", examples=["wakeup"]
    )
    min: str | None = Field(
        None, max_length=64, description="With `max`, durations that `chosen` is of.", examples=["50us"]
    )
    max: str | None = Field(None, max_length=64, description="The longest of them; none if absent.")
    cpu: str | None = Field(
        None, max_length=4_000, description="Refused: profiles are kept by task, not by CPU.", examples=[None]
    )


class TailMechanism(Answer):
    mechanism: str = Field(
        description="`higher_priority`, `equal_priority`, `fair_share` or `not_preemptible`, by the "
        "priorities that both tasks had then, while a task waited for a CPU; `irqs_off`, `interrupt`, "
        "`softirq`, `idle_exit`, `stall`, `own_work`, else `unknown`.",
        examples=["higher_priority"],
    )
    duration_ns: int = Field(examples=[1_740_000])
    share_ppm: int = Field(description="Of the cause, or of the band.", examples=[870_000])


class TailCause(Answer):
    cause: str = Field(
        description="As in the blame of a case; `other` for causes that are too many to be kept apart.",
        examples=["task"],
    )
    what: str = Field(
        description="Threads of one name are one, and so are all idle states.", examples=["hackbench"]
    )
    duration_ns: int = Field(examples=[2_000_000])
    share_ppm: int = Field(description="Of the time of the band.", examples=[610_000])
    mechanisms: list[TailMechanism] = Field(description="They add up to the cause, the largest first.")


class TailStage(Answer):
    name: str = Field(examples=["waking → wakeup"])
    from_: str = Field(alias="from", examples=["waking"])
    to: str = Field(examples=["wakeup"])
    duration_ns: int = Field(examples=[120_000])
    share_ppm: int = Field(description="Of the time of the band.", examples=[36_000])


class TailBand(Answer):
    """Samples that follow each other in the order of their durations."""

    name: str = Field(
        description="`0-50 %`, `50-90 %`, `90-99 %`, `99-99.9 %`, `99.9-99.99 %` or `99.99-100 %`; those "
        "without a sample are left out. `chosen` for the one of durations that were asked for.",
        examples=["99-99.9 %"],
    )
    from_ppm: int = Field(description="So many samples are shorter.", examples=[990_040])
    to_ppm: int = Field(description="So many samples are not longer.", examples=[998_990])
    count: int = Field(examples=[90])
    total_ns: int = Field(examples=[3_280_000])
    min_ns: int = Field(examples=[21_000])
    max_ns: int = Field(examples=[94_000])
    causes: list[TailCause] = Field(description="They add up to `total_ns`, the largest first.")
    stages: list[TailStage] = Field(description="They add up to `total_ns`; none for kinds without stages.")
    mechanisms: list[TailMechanism] = Field(description="They add up to `total_ns`, the largest first.")
    cases: dict[str, str] = Field(
        description="Parameters of `latencies` that list exactly these samples.",
        examples=[{"kind": "wakeup", "comm": "cyclictest", "min": "21000ns", "max": "94000ns"}],
    )


class LatencyTail(Answer):
    """Of all samples, not only of the worst: what took their time, from the ordinary ones to the slowest."""

    kind: str = Field(examples=["wakeup"])
    title: str = Field(examples=["Wakeup latency"])
    count: int = Field(examples=[10_000])
    total_ns: int = Field(examples=[92_000_000])
    unavailable: str | None = Field(
        description="Why there are no bands although there are samples, and the way out."
    )
    resolution_ppm: int = Field(
        description="Sums are kept by cells of durations, which are at most this part of them wide. A band "
        "is a union of cells, so that its numbers are exact.",
        examples=[15_625],
    )
    edge_error_ppm: int = Field(
        description="How far `to_ppm` of a band is from what its name says, at most.", examples=[1_200]
    )
    sentence: str | None = Field(
        description="The cause whose share differs most between the slowest samples and the others.",
        examples=[
            "Wakeup latency of rt, the slowest 1 %: 61 % of the time behind hackbench; the others: 3 %."
        ],
    )
    bands: list[TailBand] = Field(description="The shortest samples first.")
    chosen: TailBand | None = Field(
        description="With `min` or `max`, the samples of the cells that hold any of these durations, as one "
        "band; its `min_ns` and `max_ns` say which they are. null without, and where there is none."
    )
