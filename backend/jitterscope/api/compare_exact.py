"""Quantiles of a comparison from the samples themselves."""

from collections.abc import AsyncGenerator
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from jitterscope.api.compare import request_of
from jitterscope.api.problem_documents import documented
from jitterscope.api.streams import Stream
from jitterscope.explore.compare.exact import Progress, exact_quantiles
from jitterscope.explore.compare.request import CompareRequest
from jitterscope.schemas.compare import CompareBody
from jitterscope.schemas.exact_quantiles import ExactProgress, ExactQuantiles, ExactVariant
from jitterscope.store.database import Database

router = APIRouter(tags=["experiments"])


class Lines(JSONResponse):
    """Objects of JSON, one a line."""

    media_type = "application/x-ndjson"


_ANSWER: dict[int | str, dict[str, Any]] = {  # Any: as FastAPI has it
    200: {
        "model": ExactProgress | ExactQuantiles,
        "description": "A line after each trace, then the quantiles.",
    }
}


@router.post("/compare/exact", response_class=Lines, responses=documented(404, 422, 503) | _ANSWER)
async def compare_exactly(body: CompareBody, stream: Stream) -> Response:
    """The quantiles of each variant to the nanosecond, read from the samples of every trace.

    They are needed where `exact` of a variant is false. A line of JSON after each trace says how far it is;
    the last line has the quantiles. `strata` are left out.
    """
    chunks = _lines(stream.services.database, request_of(body))
    return await stream.send(chunks, media_type=Lines.media_type)


async def _lines(database: Database, request: CompareRequest) -> AsyncGenerator[bytes]:
    async for found in exact_quantiles(database, request):
        if isinstance(found, Progress):
            line = ExactProgress(done=found.done, total=found.total).model_dump_json()
        else:
            variants = [ExactVariant.model_validate({"name": one.variant} | one.numbers) for one in found]
            line = ExactQuantiles(variants=variants).model_dump_json()
        yield f"{line}\n".encode()
