"""What this version can read and find. Written by the core."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Catalog(BaseModel):
    model_config = ConfigDict(extra="allow")

    formats: list[dict[str, Any]] = Field(examples=[[{"name": "trace_dat", "title": "trace.dat"}]])
    diagnostics: list[dict[str, Any]] = Field(
        examples=[[{"code": "lost_events", "severity": "data_loss", "sentence": "", "remedy": ""}]]
    )
    analyses: list[dict[str, Any]]
    slice_kinds: list[dict[str, Any]]
