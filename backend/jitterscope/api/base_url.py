"""The address that permalinks start with."""

from typing import Annotated

from fastapi import Depends, Request

from jitterscope.api.services import ServicesOf


async def base_url_of(request: Request, services: ServicesOf) -> str:
    """The configured address, else the one that this request was sent to, which was checked before."""
    return services.settings.base_url or str(request.base_url).rstrip("/")


BaseUrl = Annotated[str, Depends(base_url_of)]


def trace_url(base_url: str, trace_id: str) -> str:
    """The permalink of a trace."""
    return f"{base_url}/t/{trace_id}"
