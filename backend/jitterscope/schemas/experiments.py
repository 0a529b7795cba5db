"""Comparisons that were saved under a name."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from jitterscope.schemas.compare import CompareBody, CompareMeasure
from jitterscope.schemas.model import Answer, QueryModel
from jitterscope.schemas.text import Name, Note, Slug, Text

_ViewName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
_ViewValue = Annotated[Text, StringConstraints(max_length=512)]
_View = Annotated[dict[_ViewName, _ViewValue], Field(max_length=32)]

_VIEW = "What else the page shows, as its address says it."


class NewExperiment(BaseModel):
    """What is to be saved. The traces stay where they are: one that is deleted later is missing here, too."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name = Field(examples=["Isolated CPU 1, before and after"])
    slug: Slug | None = Field(
        None, description="Ends the permalink; made from the name where it is not given.", examples=[None]
    )
    note: Note = Field("", examples=["rpi5, five runs each"])
    comparison: CompareBody = Field(description="As `POST /compare` takes it.")
    view: _View = Field({}, description=_VIEW, examples=[{"form": "shelves"}])


class ExperimentPatch(BaseModel):
    """What to change. The slug stays, so that links keep working."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name | None = None
    note: Note | None = None
    comparison: CompareBody | None = None
    view: _View | None = None


class ExperimentItem(Answer):
    """A saved comparison in a list."""

    slug: str = Field(examples=["isolated-cpu-1-before-and-after"])
    name: str = Field(examples=["Isolated CPU 1, before and after"])
    note: str = Field(examples=["rpi5, five runs each"])
    measure: CompareMeasure
    variants: list[str] = Field(
        description="Their names; the first is the baseline.", examples=[["before", "after"]]
    )
    trace_count: int | None = Field(
        description="Traces that were listed; null where a variant takes all with some labels.", examples=[10]
    )
    created_at: datetime
    changed_at: datetime
    url: str = Field(
        description="The permalink.",
        examples=["http://127.0.0.1:8000/experiments/isolated-cpu-1-before-and-after"],
    )


class ExperimentAnswer(ExperimentItem):
    """A saved comparison."""

    comparison: CompareBody = Field(description="As `POST /compare` takes it.")
    view: dict[str, str] = Field(description=_VIEW, examples=[{"form": "shelves"}])


class ExperimentPage(Answer):
    items: list[ExperimentItem]
    next: str | None = Field(description="Pass it as `cursor` for the next page; null on the last.")


class ExperimentListQuery(QueryModel):
    q: str = Field("", max_length=200, description="Words that occur in names, notes or slugs.")
    limit: int = Field(50, ge=1, le=200)
    cursor: str | None = Field(None, max_length=1_000)
