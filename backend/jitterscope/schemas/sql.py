"""SQL of people over the documented views."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from jitterscope.schemas.model import Answer
from jitterscope.schemas.text import Text


class SqlBody(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    sql: Text = Field(
        min_length=1,
        max_length=20_000,
        description="One SELECT, WITH, VALUES or TABLE over the views of docs/sql.md, in PostgreSQL's SQL.",
        examples=[
            "SELECT kind, count, max_ns FROM latency_total WHERE trace = ANY ($1) ORDER BY max_ns DESC"
        ],
    )
    limit: int = Field(1_000, ge=1, description="Rows of the answer; a setting bounds it.")
    traces: list[Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]] = Field(
        default_factory=list,
        max_length=1_000,
        description="Ids that the statement knows as `$1`, an array of text.",
        examples=[["24sh5tesqht7"]],
    )


class SqlColumn(Answer):
    name: str = Field(examples=["max_ns"])
    type: str = Field(description="As PostgreSQL names it.", examples=["bigint"])
    unit: str | None = Field(
        description="By the end of the name: `ns` for `…_ns`, and also `khz`, `bytes`, `pct`; else null.",
        examples=["ns"],
    )


class SqlAnswer(Answer):
    columns: list[SqlColumn]
    rows: list[list[str | int | float | bool | None]] = Field(
        description="An array for each row. Integers beyond 2^53, which JavaScript cannot hold, are decimal "
        "strings; values of other types than numbers and truth values are text as PostgreSQL prints them.",
        examples=[[["wakeup", 4896, 13_486_000]]],
    )
    row_count: int = Field(examples=[1])
    is_truncated: bool = Field(
        description="True where the answer would have had more rows, or more bytes, than it may."
    )


class SqlView(Answer):
    name: str = Field(examples=["latency"])
    columns: list[SqlColumn]


class SqlViews(Answer):
    views: list[SqlView]
    max_rows: int = Field(description="The largest `limit`.", examples=[100_000])
    unavailable: str | None = Field(
        description="Why this server runs no SQL, and the way out; null where it does.", examples=[None]
    )
