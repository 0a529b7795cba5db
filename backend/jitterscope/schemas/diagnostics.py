"""The problems of a trace, one by one."""

from pydantic import Field

from jitterscope.schemas.model import Answer, QueryModel


class DiagnosticLineAnswer(Answer):
    code: str = Field(examples=["unparsed_lines"])
    line: int | None = Field(examples=[21])
    byte_offset: int = Field(examples=[2048])
    sample: str = Field(examples=["\\xff\\xfe garbage"])


class DiagnosticPage(Answer):
    """Diagnostics that were kept, in file order. Those past the limit are only counted."""

    items: list[DiagnosticLineAnswer]
    next: str | None


class DiagnosticQuery(QueryModel):
    code: str | None = Field(None, max_length=64)
    limit: int = Field(100, ge=1, le=1000)
    cursor: str | None = Field(None, max_length=100)
