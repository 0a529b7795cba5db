"""What all answers have in common."""

from pydantic import BaseModel, ConfigDict, field_validator


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
    """The query parameters of a call: a name that is not declared is refused, and so is NUL.

    PostgreSQL keeps no NUL in text, so nothing that is looked for has one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    @field_validator("*", mode="before")
    @classmethod
    def _without_nul(cls, value: object) -> object:
        if "\0" in value if isinstance(value, str) else isinstance(value, list) and "\0" in "".join(value):
            raise ValueError("must not contain NUL (%00)")
        return value
