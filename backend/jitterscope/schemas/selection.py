"""Many traces at once: chosen by their ids, or by what the catalog shows."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints, model_validator

from jitterscope.schemas.model import Answer
from jitterscope.schemas.text import Text
from jitterscope.schemas.trace import CatalogFilter
from jitterscope.store.labels import LabelName, LabelValue

TraceId = Annotated[str, StringConstraints(pattern="^[a-z2-7]{12,52}$")]
_Words = Annotated[Text, StringConstraints(max_length=300)]

_MAX_IDS = 4000


class SelectionSizeQuery(CatalogFilter):
    """The catalog's own filter."""


class SelectionSize(Answer):
    trace_count: int = Field(examples=[1203])
    size_bytes: int = Field(description="Of the uploaded files together.", examples=[4_509_715_660])
    as_of: datetime = Field(
        description="Pass it as `matching.as_of`, so that nothing that is uploaded later is touched."
    )


class MatchingTraces(BaseModel):
    """All traces that the catalog shows with this filter; without one, all there are."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    label: list[_Words] = Field(default_factory=list, max_length=16, examples=[["kernel:6.12-rt"]])
    q: _Words = ""
    as_of: AwareDatetime | None = Field(None, description="Leave out what was uploaded after this time.")
    except_ids: list[TraceId] = Field(default_factory=list, max_length=_MAX_IDS)


class TraceSelection(BaseModel):
    """Either `ids` or `matching`. Ids of traces that are gone are passed over."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ids: list[TraceId] | None = Field(None, max_length=_MAX_IDS, examples=[["gq3tqmzqmjrd"]])
    matching: MatchingTraces | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.ids is None) == (self.matching is None):
            raise ValueError('name the traces by "ids", or with "matching" by what the catalog shows')
        return self


class SelectionDeed(TraceSelection):
    cursor: str | None = Field(None, max_length=200, description="`next` of the call before.")


class SelectionLabels(SelectionDeed):
    """Labels to set; one that is null is removed. Labels that are not named stay."""

    labels: dict[LabelName, LabelValue | None] = Field(
        min_length=1, max_length=64, examples=[{"board": "rpi5", "old": None}]
    )


class SelectionExport(TraceSelection):
    format: Literal["csv", "ndjson"] = "csv"


class SelectionOutcome(Answer):
    """What one call has done. The same call again does nothing more."""

    changed_count: int = Field(examples=[200])
    next: str | None = Field(description="Pass it as `cursor` to continue; null when all are done.")
