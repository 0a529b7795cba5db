"""Applied to every request: host names that are accepted, and headers on every answer."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jitterscope.api.layer import Layer
from jitterscope.api.problem_documents import error_response
from jitterscope.problems import AppError, ForeignHost, ForeignOrigin, HeadersTooLarge
from jitterscope.settings import Settings

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})

_READING = ("GET", "HEAD", "OPTIONS")
# What a form on any page can send to any address without a preflight request.
_FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain", "")

_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}


class Guard(Layer):
    """Refuses requests under a foreign name (rebinding) or from a foreign page (cross-site posts).

    Pages set a Content-Security-Policy of their own; everything else may do nothing in a browser.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        super().__init__(app)
        self._max_header_bytes = settings.max_header_bytes
        base = urlsplit(settings.base_url or "")
        base_host = base.hostname
        # The name of a proxy that ends TLS is known only by base_url; loopback has none.
        self._schemes = dict.fromkeys(_LOOPBACK, "http") | ({base_host: base.scheme} if base_host else {})
        names = [*settings.allowed_hosts, *([base_host] if base_host else [])]
        self._hosts = _LOOPBACK | {name.lower() for name in names}

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            if sum(len(name) + len(value) for name, value in scope["headers"]) > self._max_header_bytes:
                raise headers_too_large(self._max_header_bytes)
            self._check(Headers(scope=scope), is_changing=scope["method"] not in _READING)
        except AppError as error:
            response = error_response(error)
            await response(scope, receive, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)

    def _check(self, headers: Headers, *, is_changing: bool) -> None:
        host = headers.get("host", "").lower()
        if len(headers.getlist("host")) != 1 or _without_port(host) not in self._hosts:
            raise ForeignHost(
                "The Host of this request is not one of this server's names "
                "(JITTERSCOPE_BASE_URL, JITTERSCOPE_ALLOWED_HOSTS)."
            )
        if self._is_foreign(headers, host) or (is_changing and _is_of_unknown_page(headers, host)):
            raise ForeignOrigin("Only this server's own pages and programs without a page may call it.")

    def _is_foreign(self, headers: Headers, host: str) -> bool:
        """Whether the browser says that another page asks."""
        origin = headers.get("origin")
        if origin is not None and not self._is_ours(origin.lower(), host):
            return True
        return headers.get("sec-fetch-site") == "cross-site" and _is_not_a_visit(headers)

    def _is_ours(self, origin: str, host: str) -> bool:
        scheme, netloc = _place_of(origin)
        return netloc == host and scheme == self._schemes.get(_without_port(host), scheme)


def headers_too_large(max_bytes: int) -> HeadersTooLarge:
    """The refusal of a request whose headers are past the limit."""
    return HeadersTooLarge(
        f"The headers are larger than {max_bytes} bytes (JITTERSCOPE_MAX_HEADER_BYTES); "
        "send fewer or shorter ones."
    )


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdecimal() else host


def _place_of(url: str) -> tuple[str, str]:
    """Scheme, and host with port; nothing where it is no URL."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", ""
    return parts.scheme, parts.netloc


def _is_not_a_visit(headers: Headers) -> bool:
    """A link on another page may open one of ours; nothing else may come from there."""
    return headers.get("sec-fetch-mode") != "navigate" or headers.get("sec-fetch-dest") != "document"


def _is_of_unknown_page(headers: Headers, host: str) -> bool:
    """Whether a page may be behind a request that changes something, and it does not say that it is ours.

    Current browsers send Origin and Sec-Fetch-Site with all of these. A request with neither comes from a
    program, such as curl -F, unless it looks like an old browser.
    """
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return True
    if "origin" in headers:
        return False
    referer = headers.get("referer")
    if referer is not None and _place_of(referer.lower())[1] != host:
        return True
    content_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    is_browser = headers.get("user-agent", "").startswith("Mozilla/")
    return is_browser and content_type in _FORM_TYPES and "sec-fetch-site" not in headers
