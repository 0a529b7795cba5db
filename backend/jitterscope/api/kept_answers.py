"""Answers about traces that were given before, and are given again as long as the trace is there."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from fastapi import Response
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from jitterscope.api.core import json_response
from jitterscope.api.layer import Layer
from jitterscope.problems import AppError
from jitterscope.store.database import Database
from jitterscope.store.part_cache import Load, LoadParts, PartCache
from jitterscope.store.ready_traces import finding_once

_GZIP = b"\x1f\x8b"  # RFC 1952; no JSON begins like this
_JSON = "application/json"
# Any other request may get a whole list, which is not kept.
_AS_JSON = ("*/*", _JSON)
# /api/v1/traces/24sh5tesqht7/timeline
_INSIDE_TRACE = re.compile(r".*/traces/([^/]+)/.+")


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
        """The answer that another request is making; None where the caller is to make it, until `keep`."""
        while (pending := self._pending.get(self._place)) is not None:
            await asyncio.wait({pending})
            if (found := self.find()) is not None:
                return found
        return None

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Has others who ask the same wait for this answer; if none comes, one of them asks next."""
        pending = asyncio.get_running_loop().create_future()
        self._pending[self._place] = pending
        try:
            yield
        finally:
            del self._pending[self._place]
            pending.set_result(None)

    def keep(self, response: Response) -> None:
        if response.status_code == 200 and response.media_type == _JSON:
            self._parts.cache.keep(self._parts.load, self._name, bytes(response.body))


def trace_asked_about(scope: Scope) -> str | None:
    """The id of the one trace whose inside a request asks about."""
    path = _INSIDE_TRACE.fullmatch(scope["path"]) if scope["method"] == "GET" else None
    return path and path[1]


class KeptAnswers:
    """JSON as it was sent, by what it depends on: the load of the trace, its isolated CPUs, the question, the
    server's name."""

    def __init__(self, database: Database, max_bytes: int) -> None:
        self._database = database
        self._cache = PartCache(max_bytes)
        self._pending: dict[Place, asyncio.Future[None]] = {}

    async def of(self, scope: Scope) -> KeptAnswer | None:
        """None where the request is not about the inside of one trace that is ready.

        Raises: DatabaseUnavailable, StatementTooSlow.
        """
        trace_id = trace_asked_about(scope)
        if trace_id is None:
            return None
        trace = await self._database.ready_trace(trace_id)
        if trace is None:
            return None
        headers = Headers(scope=scope)
        if headers.get("accept", "*/*") not in _AS_JSON or b"format=" in scope["query_string"]:
            return None
        accepts_gzip = "gzip" in headers.get("accept-encoding", "")
        query = scope["query_string"].decode("latin-1")
        name = (scope["path"], query, headers.get("host", ""), str(accepts_gzip), trace.isolated)
        return KeptAnswer(LoadParts(self._cache, trace.load), name, self._pending)


class KeptFirst(Layer):
    """Answers what was answered before without routing it; only questions' answers are kept."""

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        with finding_once():
            found: Response | None = None
            # The router of the request reports what is wrong with the database.
            with suppress(AppError):
                kept = await scope["app"].state.questions.answers.of(scope)
                found = None if kept is None else kept.find()
            await (self._app if found is None else found)(scope, receive, send)
