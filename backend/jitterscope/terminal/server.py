"""A running service, asked through REST."""

import http.client
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Protocol

from jitterscope.terminal.recording import Item, Refusal

SERVER, TOKEN = "JITTERSCOPE_SERVER", "JITTERSCOPE_TOKEN"
_DEFAULT = "http://127.0.0.1:8000"

_TIMEOUT_SECONDS = 60
# A busy service says when to come back; somebody who waits at a terminal does not do so for ever.
_ATTEMPTS = 5
_MOST_PAUSE_SECONDS = 30
_BUSY = {429, 503}

# Values of parameters; those of a list are given one by one.
Parameters = Mapping[str, str | int | Sequence[str]]


class Body(Protocol):
    """A file as it is sent."""

    def read(self, count: int = -1, /) -> bytes: ...
    def seek(self, place: int, /) -> int: ...


class ServerRefusal(Refusal):
    """The service cannot be reached, or refuses; then `status` is that of HTTP."""

    def __init__(self, sentence: str, status: int | None = None) -> None:
        super().__init__(sentence)
        self.status = status


class Missing(ServerRefusal):
    """The service has no such thing."""


class Server:
    """A service by its address. The token of the environment, if there is one, goes with every request."""

    def __init__(self, address: str) -> None:
        """Raises: ServerRefusal if it is no address."""
        self.address = address.rstrip("/")
        if urllib.parse.urlsplit(self.address).scheme not in {"http", "https"}:
            raise ServerRefusal(f"{address} is no address of a server, such as {_DEFAULT}")

    def address_of(self, path: str) -> str:
        """Where an endpoint is, such as `/traces`."""
        return f"{self.address}/api/v1{path}"

    def get(self, path: str, parameters: Parameters | None = None) -> Item:
        """Raises: ServerRefusal."""
        return self.send("GET", path, parameters)

    def find(self, path: str) -> Item | None:
        """As `get`; None where there is no such thing. Raises: ServerRefusal."""
        try:
            return self.get(path)
        except Missing:
            return None

    def send(
        self, method: str, path: str, parameters: Parameters | None = None, change: object = None
    ) -> Item:
        """The answer to a request with a body of JSON, or none. Raises: ServerRefusal."""
        body = None if change is None else json.dumps(change).encode()
        headers = {} if body is None else {"Content-Type": "application/json"}
        return self._ask(lambda: self._request(method, path, parameters, body, headers))

    def report(self, path: str, form: str, change: object) -> bytes:
        """The answer to the same in another form: `html`, `svg` or `png`. Raises: ServerRefusal."""
        body, headers = json.dumps(change).encode(), {"Content-Type": "application/json"}
        request = self._request("POST", path, {"format": form}, body, headers)
        return self._answer(lambda: request)[1]

    def exchange(
        self, method: str, path: str, headers: Mapping[str, str], file: Body | None = None, offset: int = 0
    ) -> Mapping[str, str]:
        """The headers of the answer, by their names in small letters. A file is sent from `offset` on.

        Raises: ServerRefusal.
        """

        def request() -> urllib.request.Request:
            if file is not None:
                file.seek(offset)
            return self._request(method, path, None, file, headers)

        return self._answer(request)[0]

    def upload(self, file: Body, size_bytes: int, parameters: Parameters) -> Item:
        """The trace that the bytes of a file become.

        They are sent anew where the connection breaks: the same bytes are the same trace.

        Raises: ServerRefusal.
        """
        headers = {"Content-Type": "application/octet-stream", "Content-Length": str(size_bytes)}

        def request() -> urllib.request.Request:
            file.seek(0)
            return self._request("POST", "/traces", parameters, file, headers)

        return self._ask(request, breaks_are_tried=True)

    def pages(self, path: str, parameters: Parameters, limit: int, page_items: int = 1_000) -> Iterator[Item]:
        """The items of a list, at most `limit`, in pages. Raises: ServerRefusal."""
        cursor: dict[str, str] = {}
        while limit > 0:
            page = self.get(path, {**parameters, "limit": min(limit, page_items), **cursor})
            yield from page["items"]
            limit -= len(page["items"])
            # A short list may have no pages.
            if page.get("next") is None:
                return
            cursor = {"cursor": page["next"]}

    def _request(
        self,
        method: str,
        path: str,
        parameters: Parameters | None,
        body: bytes | Body | None,
        headers: Mapping[str, str],
    ) -> urllib.request.Request:
        query = urllib.parse.urlencode(parameters or {}, doseq=True)
        url = f"{self.address_of(path)}{'?' if query else ''}{query}"
        token = os.environ.get(TOKEN)
        access = {"Authorization": f"Bearer {token}"} if token else {}
        # The scheme is http or https, see above.
        return urllib.request.Request(url, body, {**headers, **access}, method=method)  # noqa: S310

    def _ask(self, request: Callable[[], urllib.request.Request], *, breaks_are_tried: bool = False) -> Item:
        found: Item = json.loads(self._answer(request, breaks_are_tried=breaks_are_tried)[1] or b"{}")
        return found

    def _answer(
        self, request: Callable[[], urllib.request.Request], *, breaks_are_tried: bool = False
    ) -> tuple[dict[str, str], bytes]:
        """Headers and body."""
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                with urllib.request.urlopen(request(), timeout=_TIMEOUT_SECONDS) as answer:  # noqa: S310
                    sent: bytes = answer.read()
                    return {name.lower(): value for name, value in answer.headers.items()}, sent
            except urllib.error.HTTPError as error:
                if error.code == HTTPStatus.NOT_FOUND:
                    raise Missing(_problem(error), error.code) from error
                if error.code not in _BUSY or attempt == _ATTEMPTS:
                    raise ServerRefusal(_problem(error), error.code) from error
                pause = error.headers.get("Retry-After", "")
                time.sleep(min(_MOST_PAUSE_SECONDS, int(pause) if pause.isdecimal() else attempt))
            except (OSError, http.client.HTTPException) as error:
                reason = getattr(error, "reason", error)
                if not breaks_are_tried or attempt == _ATTEMPTS or isinstance(reason, ConnectionRefusedError):
                    way_out = f"start it with `jitterscope run`, or name another with --server or {SERVER}"
                    raise ServerRefusal(f"{self.address} cannot be reached: {reason}; {way_out}") from error
                time.sleep(attempt)
        raise AssertionError("the last attempt answers or raises")


def add_server(parser: ArgumentParser) -> None:
    """The option that names the service."""
    parser.add_argument("--server", metavar="URL", help=f"address of the service; {SERVER}, else {_DEFAULT}")


def server_of(arguments: Namespace) -> Server:
    """The service that is meant. Raises: ServerRefusal."""
    return Server(arguments.server or os.environ.get(SERVER) or _DEFAULT)


def trace_id_of(trace: str) -> str:
    """The id in a permalink, `http://127.0.0.1:8000/t/gq3tqmzqmjrd`; anything else is taken for an id."""
    parts = urllib.parse.urlsplit(trace).path.split("/")
    return parts[2] if parts[:2] == ["", "t"] and len(parts) > 2 else trace


def path_of(trace: str) -> str:
    """The path of a trace by its id or its permalink."""
    return f"/traces/{urllib.parse.quote(trace_id_of(trace), safe='')}"


def labels_of(texts: Sequence[str]) -> dict[str, str | None]:
    """`board=rpi5`; without a value, the label is to go.

    Raises: Refusal.
    """
    labels: dict[str, str | None] = {}
    for text in texts:
        name, mark, value = text.partition("=")
        if not mark or not name:
            raise Refusal(f"{text!r} is no label; write NAME=VALUE")
        labels[name] = value or None
    return labels


def _problem(error: urllib.error.HTTPError) -> str:
    """What a problem document says, or what there is instead."""
    try:
        problem = json.loads(error.read())
        return str(problem.get("detail") or problem["title"])
    except (ValueError, LookupError, AttributeError):
        return f"{error.url}: {error.code} {error.reason}"
