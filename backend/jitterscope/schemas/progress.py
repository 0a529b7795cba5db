"""How far the loading of a trace is."""

from pydantic import Field

from jitterscope.schemas.model import Answer
from jitterscope.schemas.trace import Status


class ProgressAnswer(Answer):
    """The data of the server-sent events `progress` and `done`."""

    status: Status = Field(examples=["parsing"])
    stage: str | None = Field(examples=["parsing"])
    progress: float = Field(ge=0, le=1, examples=[0.42])
    bytes_done: int = Field(examples=[440_401])
    bytes_total: int = Field(examples=[1_048_576])
    events: int = Field(description="Events read so far.", examples=[51_200])
