"""Lists as pages or as a whole: all rows in a format for programs, where the client asks for that."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request, Response
from fastapi.routing import APIRoute
from starlette.datastructures import Headers, QueryParams

from jitterscope.api.core import Core, parameters
from jitterscope.api.questions import QuestionRoute
from jitterscope.api.streams import Stream
from jitterscope.problems import NotAcceptable
from jitterscope.schemas.model import QueryModel

JSON = "application/json"
# By the name that `format=` has; the first is what who asks for nothing gets.
MEDIA_TYPES = {
    "json": JSON,
    "csv": "text/csv",
    "ndjson": "application/x-ndjson",
    "arrow": "application/vnd.apache.arrow.stream",
    "parquet": "application/vnd.apache.parquet",
}
_OF_MEDIA_TYPE = {media_type: name for name, media_type in MEDIA_TYPES.items()}
_JSON_RANGES = ("*/*", "application/*", JSON)


def wanted_format(headers: Headers, query: QueryParams) -> str:
    """A name in `MEDIA_TYPES`: what `format=` says, else the one that `Accept` prefers.

    Raises: NotAcceptable.
    """
    named = query.get("format")
    if named is not None:
        # What is none of them is refused with the other parameters.
        return named if named in MEDIA_TYPES else "json"
    accepted = headers.get("accept", "*/*")
    ranges = [_weighed(part) for part in accepted.split(",") if part.strip()]
    for media_type, weight in sorted(ranges, key=lambda one: -one[1]):
        if weight > 0 and media_type in _JSON_RANGES:
            return "json"
        if weight > 0 and media_type in _OF_MEDIA_TYPE:
            return _OF_MEDIA_TYPE[media_type]
        if weight > 0 and media_type == "text/*":
            return "csv"
    if not ranges:
        return "json"
    available = list(MEDIA_TYPES.values())
    raise NotAcceptable(
        f"This list can be had as {', '.join(available)}, not as {accepted[:200]!r}.", available=available
    )


def _weighed(media_range: str) -> tuple[str, float]:
    """`text/csv;q=0.5` taken apart; a weight that is no number is 1, as if it were left out."""
    name, *options = (part.strip().lower() for part in media_range.split(";"))
    for option in options:
        key, _, value = option.partition("=")
        if key.strip() == "q":
            try:
                return name, float(value)
            except ValueError:
                break
    return name, 1.0


class ListRoute(QuestionRoute):
    """A list by pages, like other questions; a whole list holds a slot for as long as it is sent."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:  # Any: FastAPI's own
        page = super().get_route_handler()
        whole = APIRoute.get_route_handler(self)

        async def answer(request: Request) -> Response:
            is_page = wanted_format(request.headers, request.query_params) == "json"
            return await (page if is_page else whole)(request)

        return answer


@dataclass(frozen=True)
class ListOfRequest:
    """A list that one request asks for."""

    core: Core
    stream: Stream

    async def answer(self, question: str, query: QueryModel, trace_id: str) -> Response:
        """A page as JSON, or all rows as the client wants them.

        Raises: NotFound, TraceNotReady, TraceFailed, InvalidParameter, NotAcceptable, TooManyQuestions.
        """
        request = self.stream.request
        wanted = wanted_format(request.headers, request.query_params)
        given = {name: value for name, value in parameters(query).items() if name != "format"}
        if wanted == "json":
            return await self.core.answer(question, given, trace_id)
        rows = {
            name: value for name, value in given.items() if name not in {"limit", "cursor", "width", "by"}
        }
        return await self.stream.answer(
            "rows",
            {**rows, "list": question, "format": wanted},
            trace_id,
            media_type="text/csv; charset=utf-8" if wanted == "csv" else MEDIA_TYPES[wanted],
            filename=f"{trace_id}-{question}.{wanted}",
            is_compressed=wanted == "parquet",
        )


async def lists_of(core: Core, stream: Stream) -> ListOfRequest:
    """The list of one request."""
    return ListOfRequest(core, stream)


Lists = Annotated[ListOfRequest, Depends(lists_of)]

# For OpenAPI: what a list can be had as besides JSON.
ALL_ROWS: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {media_type: {} for media_type in MEDIA_TYPES.values() if media_type != JSON},
        "description": "A page, or all rows.",
    }
}
