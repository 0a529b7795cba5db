"""Answers about traces that were given before, and are given again as long as the trace is there."""

from dataclasses import dataclass

from fastapi import Request, Response

from jitterscope.api.computed import json_response
from jitterscope.store.database import Database
from jitterscope.store.part_cache import LoadParts, PartCache
from jitterscope.store.traces import ready_load

_GZIP = b"\x1f\x8b"  # RFC 1952; no JSON begins like this
_JSON = "application/json"


@dataclass(frozen=True)
class KeptAnswer:
    """Where the answer to one request is, or would be, kept."""

    _parts: LoadParts
    _name: tuple[str, ...]

    def find(self) -> Response | None:
        body = self._parts.cache.find(self._parts.load, self._name)
        return None if body is None else json_response(body, is_gzip=body.startswith(_GZIP))

    def keep(self, response: Response) -> None:
        if response.status_code == 200 and response.media_type == _JSON:
            self._parts.cache.keep(self._parts.load, self._name, bytes(response.body))


class KeptAnswers:
    """JSON as it was sent, by what it depends on: the load of the trace, the question, the server's name."""

    def __init__(self, database: Database, max_bytes: int) -> None:
        self._database = database
        self._cache = PartCache(max_bytes)

    async def of(self, request: Request) -> KeptAnswer | None:
        """None where the request is not about one trace that is ready."""
        trace_id = request.path_params.get("trace_id")
        if request.method != "GET" or trace_id is None:
            return None
        async with self._database.glance() as connection:
            load = await ready_load(connection, trace_id)
        if load is None:
            return None
        accepts_gzip = "gzip" in request.headers.get("accept-encoding", "")
        name = (request.url.path, request.url.query, request.headers.get("host", ""), str(accepts_gzip))
        return KeptAnswer(LoadParts(self._cache, load), name)
