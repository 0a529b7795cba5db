"""The table of an experiment: samples split by labels, or by what is known of each sample."""

from typing import Annotated

from pydantic import Field

from jitterscope.schemas.model import Answer

StratumText = Annotated[
    str,
    Field(
        max_length=80,
        pattern=r"^(label:[^\x00]+|word:[1-9][0-9]?|cpu|task|key|sleep|frequency|idle_state)$",
        description="`label:NAME` of traces, `word:NUMBER` of their names (the first is 1), or of samples "
        "`cpu`, `task`, `key` (source or field), `sleep` (how long the task slept, to one digit), or the "
        "`frequency` or `idle_state` of the CPU that it woke to.",
        examples=["label:sleep"],
    ),
]


class StratumAxis(Answer):
    """The rows or the columns."""

    by: str = Field(description="As it was asked for.", examples=["label:sleep"])
    values: list[str | None] = Field(
        description="Quantities of one unit by size, all else as versions; null, the last, is what is not "
        "known.",
        examples=[["1ms", "10ms", "100ms", "1s", None]],
    )


class StratumCell(Answer):
    """The samples of one variant in one row and column."""

    variant: str = Field(examples=["all"])
    row: str | None = Field(description="null where it is not known.", examples=["10ms"])
    column: str | None = Field(
        description="null where it is not known, or there are no columns.", examples=["idle"]
    )
    traces: int = Field(examples=[1])
    count: int = Field(examples=[150])
    mean_ns: int = Field(examples=[77_698])
    stdev_ns: int | None = Field(description="Of the sample (n - 1); null for a single one.", examples=[314])
    p50_ns: int | None = Field(
        description="This and those below are null for samples in no known group: only sums are "
        "known of them.",
        examples=[77_498],
    )
    p99_ns: int | None = Field(examples=[78_531])
    max_ns: int | None = Field(examples=[78_552])
    max_url: str | None = Field(description="The permalink of the longest case.", examples=[None])


class CompareStrata(Answer):
    rows: StratumAxis
    columns: StratumAxis | None = Field(description="null where samples are split by one thing.")
    cells: list[StratumCell] = Field(description="Row by row. Those without samples are left out.")
    has_more: bool = Field(
        description="True where there are more groups than a table shows: those with the fewest "
        "samples count as not known.",
        examples=[False],
    )
