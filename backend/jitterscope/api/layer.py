"""Layers around the application, each of which sees every HTTP request."""

from abc import ABC, abstractmethod

from starlette.types import ASGIApp, Receive, Scope, Send


class Layer(ABC):
    """Middleware for HTTP requests; the server's start and end pass through it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        serve = self._serve if scope["type"] == "http" else self._app
        await serve(scope, receive, send)

    @abstractmethod
    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers the request, or hands it on to `self._app`."""
