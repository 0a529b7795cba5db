"""Baselines: saved variants that others are compared with."""

from datetime import datetime
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from jitterscope.schemas.compare import CompareWhere
from jitterscope.schemas.model import Answer
from jitterscope.schemas.text import AnyTraceId, Name, Note, Slug
from jitterscope.store.labels import LabelName, LabelValue


class BaselineTraces(BaseModel):
    """Traces by id, or all that have these labels, those to come, too."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    traces: list[AnyTraceId] = Field([], max_length=2_000)
    labels: dict[LabelName, LabelValue] = Field({}, max_length=20, examples=[{"board": "rpi4"}])

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if bool(self.traces) == bool(self.labels):
            raise ValueError("either traces or labels have to be given")
        return self


class NewBaseline(BaseModel):
    """What is to be saved. The traces stay where they are: one that is deleted later is missing here, too."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name = Field(examples=["Last green of rpi4"])
    slug: Slug | None = Field(
        None, description="What checks call it; made from the name where it is not given.", examples=[None]
    )
    note: Note = ""
    variant: BaselineTraces
    where: CompareWhere = Field(CompareWhere(), description="Which of their samples.")


class BaselinePatch(BaseModel):
    """What to change. The slug stays, so that checks keep working."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name | None = None
    note: Note | None = None
    variant: BaselineTraces | None = None
    where: CompareWhere | None = None


class BaselineItem(Answer):
    """A baseline in the list."""

    slug: str = Field(examples=["last-green-of-rpi4"])
    name: str = Field(examples=["Last green of rpi4"])
    note: str
    variant: BaselineTraces
    where: CompareWhere
    created_at: datetime
    changed_at: datetime


class BaselineAnswer(BaselineItem):
    """A baseline with what is there of it now."""

    trace_count: int = Field(description="Traces that are there; 0 where it is empty.", examples=[15])
    missing: list[str] = Field(description="Ids that were listed and no trace has: deleted since.")


class BaselineList(Answer):
    items: list[BaselineItem] = Field(description="The last changed first; at most 1,000 are kept.")
