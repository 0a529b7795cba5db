"""One page of the catalog of traces: filtered, sorted, continued by key."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.store.models import Trace
from jitterscope.store.selection import ALL_TRACES, Selection, conditions

# A missing number or name sorts like the smallest one, so that a page can continue from it. Each has an index
# (migrations/schema/catalog.sql), which PostgreSQL finds by the expression.
_SORTS: dict[str, ColumnElement[Any]] = {  # Any: columns of several types
    "created_at": Trace.created_at.expression,
    "name": Trace.name.expression,
    "status": Trace.status.expression,
    "kernel": func.coalesce(Trace.kernel, ""),
    "tracer": func.coalesce(Trace.tracer, ""),
    "cpu_count": func.coalesce(Trace.cpu_count, -1),
    "duration_ns": func.coalesce(Trace.duration_ns, -1),
    "event_count": func.coalesce(Trace.event_count, -1),
    "call_count": func.coalesce(Trace.call_count, -1),
    "record_count": func.coalesce(Trace.event_count + Trace.call_count, -1),
    "worst": Trace.worst_duration_ns.expression,
    "size_bytes": Trace.size_bytes.expression,
}
SORT_NAMES = tuple(_SORTS)
_TEXT_SORTS = frozenset({"name", "status", "kernel", "tracer"})

SortValue = str | int | datetime


@dataclass(frozen=True)
class CatalogQuery:
    """`after` is the sort value and id of the last trace of the page before."""

    sort: str = "created_at"
    is_descending: bool = True
    limit: int = 50
    selection: Selection = ALL_TRACES
    after: tuple[SortValue, str] | None = None


async def catalog_page(
    session: AsyncSession, query: CatalogQuery
) -> tuple[Sequence[Trace], tuple[SortValue, str] | None]:
    """The traces of one page, and from where the next one continues (None after the last)."""
    rows = (await session.execute(catalog_statement(query))).all()
    page = rows[: query.limit]
    has_more = len(rows) > query.limit
    return [trace for trace, _ in page], (page[-1][1], page[-1][0].id) if has_more else None


def catalog_statement(query: CatalogQuery) -> Select[tuple[Trace, Any]]:
    """The traces of one page and one more, each with its sort value."""
    column = _SORTS[query.sort]
    statement: Select[tuple[Trace, Any]] = select(Trace, column.label("sort_value"))
    statement = statement.where(*conditions(query.selection))
    if query.after is not None:
        here, there = tuple_(column, Trace.id), tuple_(*query.after)
        statement = statement.where(here < there if query.is_descending else here > there)
    order = (column.desc(), Trace.id.desc()) if query.is_descending else (column.asc(), Trace.id.asc())
    return statement.order_by(*order).limit(query.limit + 1)


def sort_value(sort: str, value: object) -> SortValue:
    """The value of a sort column from its JSON form.

    Raises: TypeError or ValueError where it is not one.
    """
    if sort == "created_at":
        return datetime.fromisoformat(str(value))
    if sort in _TEXT_SORTS:
        return str(value)
    if not isinstance(value, int):
        raise TypeError("expected an integer")
    return value
