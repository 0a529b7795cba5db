"""Quantiles of a comparison to the nanosecond, and how far reading them is."""

from pydantic import Field

from jitterscope.schemas.model import Answer


class ExactProgress(Answer):
    """A line after each trace."""

    done: int = Field(description="Traces that were read.", examples=[12])
    total: int = Field(description="Traces to read: those whose sums are not exact.", examples=[40])


class ExactVariant(Answer):
    """The quantiles of a variant; null without samples."""

    name: str = Field(examples=["before"])
    p50_ns: int | None = Field(None, examples=[25_172])
    p90_ns: int | None = Field(None, examples=[25_340])
    p99_ns: int | None = Field(None, examples=[26_170])
    p99_9_ns: int | None = Field(None, examples=[26_283])
    p99_99_ns: int | None = Field(None, examples=[26_283])


class ExactQuantiles(Answer):
    """The last line."""

    variants: list[ExactVariant]
