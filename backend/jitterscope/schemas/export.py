"""Exports of a trace."""

from pydantic import Field

from jitterscope.schemas.windows import WindowQuery


class ExportQuery(WindowQuery):
    format: str = Field(
        max_length=32,
        description="`ftrace`, `perfetto`, `chrome`, `speedscope` or `folded` (docs/exports.md).",
        examples=["perfetto"],
    )
    cpu: str | None = Field(None, max_length=4_000, description="CPUs, separated by commas.")

    @property
    def window_name(self) -> str:
        """What the name of a file of a part says: nothing of the whole."""
        return "-part" if self.start or self.end or self.cpu else ""
