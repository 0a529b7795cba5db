"""Function calls merged by their stacks."""

from typing import Annotated, Literal

from pydantic import Field, PlainSerializer

from jitterscope.schemas.calls import CallFilterQuery
from jitterscope.schemas.model import Answer


class CallTreeQuery(CallFilterQuery):
    invert: bool | None = Field(None, description="`true` for callees first (bottom-up).")
    time: Literal["gross", "net"] | None = Field(
        None,
        description="`gross` for wall time (the default), `net` for the CPU time of the calls' own task: "
        "without interrupts and softirqs, and without stretches in which it was switched out, where those "
        "were recorded.",
    )
    # The core reads a decimal of nine digits, not what a float is printed as.
    min_share: Annotated[
        float | None, PlainSerializer(lambda share: f"{share:.9f}", when_used="unless-none")
    ] = Field(None, ge=0, le=1, description="Fold what is less than this share of the whole.")


class CallTreeNode(Answer):
    """`parent` is an index into `nodes`, always of an earlier one; null for a root."""

    symbol_idx: int | None
    parent: int | None
    count: int
    total_ns: int
    self_ns: int
    min_ns: int | None
    p50_ns: int | None = Field(description="null where calls were merged that are not at hand one by one")
    max_ns: int | None


class FoldedNodes(Answer):
    """What was too small to be shown."""

    nodes: int
    total_ns: int


class NetTimes(Answer):
    """What net times leave out."""

    taken_ns: int = Field(description="Taken from the outermost calls that are not interrupts themselves.")
    has_interrupts: bool = Field(description="Whether interrupts were recorded, as events or as calls.")
    has_switches: bool = Field(description="Whether switches of tasks were recorded.")


class CallTree(Answer):
    total_ns: int
    call_count: int
    symbols: list[str]
    nodes: list[CallTreeNode]
    truncated: FoldedNodes | None
    net: NetTimes | None = Field(description="null with `time=gross`")
