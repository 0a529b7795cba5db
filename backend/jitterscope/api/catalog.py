"""What this version can read and find."""

from typing import Any

from fastapi import APIRouter

from jitterscope.api.catalog_texts import catalog
from jitterscope.schemas.catalog import Catalog

router = APIRouter(tags=["service"])


@router.get("/catalog", response_model=Catalog)
async def get_catalog() -> dict[str, Any]:
    """Formats, diagnostics and remedies, analyses and kinds of latency with the events they need, slices."""
    return catalog()
