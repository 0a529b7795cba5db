"""What stands before every request: names it may come under, and headers on every answer."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jitterscope.api.problem_documents import error_response
from jitterscope.problems import AppError, ForeignHost, ForeignOrigin, HeadersTooLarge
from jitterscope.settings import Settings

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})

_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}


class Guard:
    """Refuses requests under a foreign name (rebinding) or from a foreign page (cross-site posts).

    Pages set a Content-Security-Policy of their own; everything else may do nothing in a browser.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._max_header_bytes = settings.max_header_bytes
        base_host = urlsplit(settings.base_url).hostname if settings.base_url else None
        names = [*settings.allowed_hosts, *([base_host] if base_host else [])]
        self._hosts = _LOOPBACK | {name.lower() for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            if sum(len(name) + len(value) for name, value in scope["headers"]) > self._max_header_bytes:
                raise headers_too_large(self._max_header_bytes)
            self._check(Headers(scope=scope))
        except AppError as error:
            response = error_response(error)
            await response(scope, receive, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)

    def _check(self, headers: Headers) -> None:
        host = headers.get("host", "").lower()
        if len(headers.getlist("host")) != 1 or _without_port(host) not in self._hosts:
            raise ForeignHost(
                "The Host of this request is not one of this server's names "
                "(JITTERSCOPE_BASE_URL, JITTERSCOPE_ALLOWED_HOSTS)."
            )
        origin = headers.get("origin")
        is_foreign = origin is not None and urlsplit(origin.lower()).netloc != host
        if is_foreign or (headers.get("sec-fetch-site") == "cross-site" and _is_not_a_visit(headers)):
            raise ForeignOrigin("Only this server's own pages and programs without a page may call it.")


def headers_too_large(max_bytes: int) -> HeadersTooLarge:
    return HeadersTooLarge(
        f"The headers are larger than {max_bytes} bytes (JITTERSCOPE_MAX_HEADER_BYTES); "
        "send fewer or shorter ones."
    )


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdecimal() else host


def _is_not_a_visit(headers: Headers) -> bool:
    """A link on another page may open one of ours; nothing else may come from there."""
    return headers.get("sec-fetch-mode") != "navigate" or headers.get("sec-fetch-dest") != "document"
