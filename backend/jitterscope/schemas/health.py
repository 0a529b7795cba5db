"""Whether the service lives, and whether it can work."""

from pydantic import Field

from jitterscope.schemas.model import Answer


class Health(Answer):
    status: str = Field(examples=["ok"])


class Readiness(Answer):
    is_ready: bool = Field(examples=[True])
    checks: dict[str, str] = Field(
        description="`ok`, or what is wrong, for each thing that is needed.",
        examples=[{"database": "ok", "schema": "ok", "disk": "ok"}],
    )
