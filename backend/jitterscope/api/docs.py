"""The reference page."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from jitterscope.api.catalog_texts import diagnostic_texts
from jitterscope.api.reference import STYLE, reference_page

router = APIRouter(include_in_schema=False)

_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


@router.get("/docs")
async def docs(request: Request) -> HTMLResponse:
    page = reference_page(request.app.openapi(), diagnostic_texts())
    return HTMLResponse(page, headers={"Content-Security-Policy": _POLICY})


@router.get("/docs/reference.css")
async def style() -> Response:
    return Response(STYLE, media_type="text/css")
