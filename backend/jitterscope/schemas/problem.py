"""RFC 9457 problem documents."""

from pydantic import BaseModel, ConfigDict, Field

from jitterscope.schemas.model import Answer


class ParameterProblem(Answer):
    """One parameter that was refused."""

    parameter: str = Field(examples=["limit"])
    location: str = Field(alias="in", description="query, path, header or body", examples=["query"])
    message: str = Field(examples=["Input should be less than or equal to 1000"])


class Problem(BaseModel):
    """Why a request was refused. `code` is stable; `detail` says the limit and the way out."""

    model_config = ConfigDict(frozen=True, extra="allow")

    type: str = Field(examples=["/docs#problem-not_found"])
    title: str = Field(examples=["Not found"])
    status: int = Field(examples=[404])
    detail: str = Field(examples=["There is no trace 'abcdefghijkl'."])
    code: str = Field(examples=["not_found"])
    request_id: str | None = Field(None, description="The same as in the server's log.")
    line: int | None = Field(None, description="Line in the file, from 1.")
    position: int | None = Field(None, description="Character of a SQL statement, from 1.")
    byte_offset: int | None = Field(None, description="Byte in the expanded file, from 0.")
    excerpt: str | None = Field(None, description="The text at that place.")
    remedy: str | None = Field(None, description="What can be done about a file that is refused.")
    errors: list[ParameterProblem] | None = Field(None, description="The parameters that were refused.")
