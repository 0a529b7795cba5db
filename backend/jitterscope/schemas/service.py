"""What a server is, and how it is doing."""

from pydantic import Field

from jitterscope.schemas.model import Answer


class ServiceStorage(Answer):
    recording_count: int = Field(examples=[1203])
    recording_bytes: int = Field(description="Sum of the uploaded files.", examples=[48_318_382_080])
    database_bytes: int = Field(examples=[9_663_676_416])
    unfinished_upload_count: int = Field(
        description="Uploads that can be continued (`POST /uploads`).", examples=[1]
    )
    free_bytes: int = Field(
        description="Of the disk that holds the uploaded files.", examples=[61_203_283_968]
    )
    kept_free_bytes: int = Field(
        description="Uploads are refused where they would leave less than this free.",
        examples=[1_073_741_824],
    )
    max_upload_bytes: int = Field(description="Size of the largest upload.", examples=[8_589_934_592])


class ServiceLoads(Answer):
    worker_count: int = Field(description="Processes that load uploads.", examples=[1])
    queued_count: int = Field(examples=[3])
    loading_count: int = Field(examples=[2])
    failed_count: int = Field(examples=[4])


class ServiceAnswer(Answer):
    version: str = Field(examples=["0.1.0"])
    database_version: str = Field(description="Of PostgreSQL.", examples=["18.1"])
    walls: list[str] = Field(
        description="What is around the process that reads uploaded files.",
        examples=[["own network", "empty root", "Landlock ABI 7", "seccomp"]],
    )
    missing_walls: list[str] = Field(
        description="What this machine does not offer for it.", examples=[["Landlock"]]
    )
    is_access_controlled: bool = Field(
        description="Whether something in front decides who may reach the server; without that, it listens "
        "on this machine only."
    )
    storage: ServiceStorage
    loads: ServiceLoads
