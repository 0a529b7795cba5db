"""What a statement of SQL may read."""

from fastapi import APIRouter

from jitterscope.api.problem_documents import documented
from jitterscope.api.services import ServicesOf
from jitterscope.api.sql_text import column_unit
from jitterscope.schemas.sql import SqlColumn, SqlView, SqlViews
from jitterscope.store.read_connection import no_role
from jitterscope.store.read_role import documented_columns

router = APIRouter(tags=["SQL"])


@router.get("/sql/views", responses=documented(503))
async def list_views(services: ServicesOf) -> SqlViews:
    """The views that a statement may read, with their columns."""
    settings = services.settings
    async with services.database.session() as session:
        views = await documented_columns(session)
    return SqlViews(
        views=[
            SqlView(
                name=view,
                columns=[SqlColumn(name=name, type=kind, unit=column_unit(name)) for name, kind in columns],
            )
            for view, columns in views.items()
        ],
        max_rows=settings.max_sql_rows,
        unavailable=no_role(settings),
    )
