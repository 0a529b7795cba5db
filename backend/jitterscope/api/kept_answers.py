"""Answers about traces that were given before, and are given again as long as the trace is there."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from fastapi import Request, Response

from jitterscope.api.computed import json_response
from jitterscope.store.database import Database
from jitterscope.store.part_cache import Load, LoadParts, PartCache
from jitterscope.store.traces import ready_load

_GZIP = b"\x1f\x8b"  # RFC 1952; no JSON begins like this
_JSON = "application/json"


Place = tuple[Load, tuple[str, ...]]


@dataclass(frozen=True)
class KeptAnswer:
    """Where the answer to one request is, or would be, kept."""

    _parts: LoadParts
    _name: tuple[str, ...]
    _pending: dict[Place, asyncio.Future[None]]

    @property
    def _place(self) -> Place:
        return self._parts.load, self._name

    def find(self) -> Response | None:
        body = self._parts.cache.find(self._parts.load, self._name)
        return None if body is None else json_response(body, is_gzip=body.startswith(_GZIP))

    async def turn(self) -> Response | None:
        """What somebody else is answering just now; None where the turn is the caller's, until `keep`."""
        while (asked := self._pending.get(self._place)) is not None:
            await asyncio.wait({asked})
            if (found := self.find()) is not None:
                return found
        return None

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Has others who ask the same wait for this answer; if none comes, one of them asks next."""
        asked = asyncio.get_running_loop().create_future()
        self._pending[self._place] = asked
        try:
            yield
        finally:
            del self._pending[self._place]
            asked.set_result(None)

    def keep(self, response: Response) -> None:
        if response.status_code == 200 and response.media_type == _JSON:
            self._parts.cache.keep(self._parts.load, self._name, bytes(response.body))


class KeptAnswers:
    """JSON as it was sent, by what it depends on: the load of the trace, the question, the server's name."""

    def __init__(self, database: Database, max_bytes: int) -> None:
        self._database = database
        self._cache = PartCache(max_bytes)
        self._pending: dict[Place, asyncio.Future[None]] = {}

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
        return KeptAnswer(LoadParts(self._cache, load), name, self._pending)
