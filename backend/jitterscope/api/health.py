"""Whether the service lives, and whether it can work."""

from fastapi import APIRouter, Response

from jitterscope.api.services import Services, ServicesOf
from jitterscope.problems import AppError
from jitterscope.schemas.health import Health, Readiness
from jitterscope.store.migrate import schema_state

router = APIRouter(tags=["service"])


@router.get("/healthz")
async def get_health() -> Health:
    """Answers as long as the process serves requests."""
    return Health(status="ok")


@router.get("/readyz", responses={503: {"model": Readiness, "description": "Something is missing."}})
async def get_readiness(response: Response, services: ServicesOf) -> Readiness:
    """What is needed to accept and show traces, and whether it is there."""
    checks = {
        "database": "ok",
        "schema": await _schema(services),
        "disk": _disk(services),
    }
    if checks["schema"] == "no answer":
        checks["database"] = "no answer"
    is_ready = all(found == "ok" for found in checks.values())
    response.status_code = 200 if is_ready else 503
    return Readiness(is_ready=is_ready, checks=checks)


async def _schema(services: Services) -> str:
    try:
        async with services.health_database.session() as session:
            connection = await session.connection()
            return await connection.run_sync(schema_state)
    except AppError:
        return "no answer"


def _disk(services: Services) -> str:
    try:
        services.blobs.require_space(0)
    except AppError:
        return "almost full"
    return "ok"
