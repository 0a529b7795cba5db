"""The shelves of counts of work per quantum."""

from typing import Literal

from pydantic import Field

from jitterscope.schemas.model import Answer


class ShelfCause(Answer):
    """What interrupted the program that counts, while it ran."""

    cause: str = Field(description="The kind of interference.", examples=["irq"])
    what: str | None = Field(
        description="Which one: an interrupt, a vector, a task.", examples=["local_timer"]
    )
    called: str = Field(examples=["the tick (interrupt local_timer)"])
    per_s: float = Field(description="For each second that the program ran.", examples=[1001.1])
    mean_ns: int = Field(description="Between its events, net of what is nested in it.", examples=[12_346])
    usual_ns: int = Field(
        description="What the shelf was compared with: the median of ticks, the mean of all else.",
        examples=[12_000],
    )


class QuantumShelf(Answer):
    """A plateau of the sorted counts."""

    low: int = Field(description="The lowest count that belongs to it.", examples=[1_078])
    high: int = Field(description="The highest count that belongs to it.", examples=[1_079])
    quanta: int = Field(examples=[1_889])
    share: float = Field(description="Of all quanta.", examples=[0.9445])
    at_most_share: float = Field(description="Of quanta that are not above it.", examples=[1.0])
    below: int = Field(description="Counts from its upper edge to the top.", examples=[15])
    below_ns: int | None = Field(description="The same in time of the quantum.", examples=[13_711])
    state: Literal["top", "explained", "ambiguous", "unexplained", "untraced", "unscaled"] = Field(
        description="`explained` by one set of causes; `ambiguous` if several fit; `unexplained` if none of "
        "what the trace recorded does; `untraced` without a trace; `unscaled` where the length of a quantum "
        "is not known."
    )
    causes: list[list[ShelfCause]] = Field(description="Sets of causes whose cost and rate fit.")
    summary: str = Field(examples=["15 counts (13.7 µs) below 1,094: the tick (interrupt local_timer) …"])


class ShelfTick(Answer):
    """What a tick takes by the shelves, beside what it takes by the trace."""

    cost_ns: int = Field(description="By the shelves.", examples=[13_711])
    per_s: float = Field(description="By the shelves.", examples=[1000.0])
    share: float = Field(description="By the shelves: cost × rate.", examples=[0.01371])
    trace_cost_ns: int | None = Field(description="By the trace, of all ticks of the CPU.", examples=[15_652])
    trace_share: float | None = Field(examples=[0.01565])
    own_cost_ns: int = Field(
        description="By the trace, of those that interrupted the program.", examples=[12_346]
    )
    own_share: float = Field(description="By the trace, of the program's time.", examples=[0.01236])
    product: str = Field(examples=["13.7 µs × 1000 Hz = 1.37 % by the shelves"])
    trace_product: str | None = Field(examples=["15.7 µs × 999 Hz = 1.57 % of CPU 1"])
    why: list[str] = Field(description="The recorded reasons why the two differ.")


class VariantShelves(Answer):
    """The shelves of one variant, the highest first."""

    name: str = Field(examples=["hz1000"])
    quanta: int = Field(examples=[2_000])
    quantum_ns: int | None = Field(examples=[1_000_000])
    lost_share: float | None = Field(
        description="Of the work at the top, how much is missing on average.", examples=[0.0149]
    )
    recorded_share: float | None = Field(
        description="How much of the program's time the trace shows to be taken; null without a trace.",
        examples=[0.01246],
    )
    summary: str = Field(
        description="About the shelf that costs most.",
        examples=[
            "the tick (interrupt local_timer) takes 13.7 µs in 100 % of its quanta, 1.37 % of the time"
        ],
    )
    shelves: list[QuantumShelf]
    tick: ShelfTick | None = Field(description="null where no shelf is due only to the tick.")


class ShelvesAnswer(Answer):
    top: int | None = Field(
        description="The highest count on a shelf of all variants; null where they have no scale in common.",
        examples=[1_094],
    )
    top_variant: str | None = Field(examples=["hz250"])
    notes: list[str] = Field(description="What limits the comparison.")
    sentence: str = Field(description="The largest loss of each variant.")
    variants: list[VariantShelves]
