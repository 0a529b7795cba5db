"""What all answers have in common."""

from pydantic import BaseModel, ConfigDict


class Answer(BaseModel):
    """A part of an answer: read-only, and with no field that is not declared."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        from_attributes=True,
        # An answer always holds all of its fields, and its description has to say so.
        json_schema_serialization_defaults_required=True,
    )


class QueryModel(BaseModel):
    """The query parameters of a call: a name that is not declared is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)
