"""One page of the catalog of traces: filtered, sorted, continued by key."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Row, Select, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

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

# Traces at the beginning of the order among which those that match are looked for first.
_NEAR_COUNT = 5_000

SortValue = str | int | datetime
_Statement = Select[Trace, Any]
_AnySelect = TypeVar("_AnySelect", bound=Select[*tuple[Any, ...]])


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
    rows: Sequence[Row[Trace, Any]] = []
    if query.selection.search or query.selection.labels:
        rows = (await session.execute(near_statement(query))).all()
    if len(rows) <= query.limit:
        rows = (await session.execute(catalog_statement(query))).all()
    page = rows[: query.limit]
    has_more = len(rows) > query.limit
    return [trace for trace, _ in page], (page[-1][1], page[-1][0].id) if has_more else None


def near_statement(query: CatalogQuery) -> _Statement:
    """As `catalog_statement`, of the traces that come first alone; if they fill the page, it is the same."""
    column = _SORTS[query.sort]
    first = _in_order(
        _after(select(Trace, column.label("sort_value")), query), query, column, Trace.id.expression
    )
    near = first.limit(_NEAR_COUNT).subquery("near")
    trace = aliased(Trace, near)
    statement = select(trace, near.c.sort_value).where(*conditions(query.selection, trace))
    return _in_order(statement, query, near.c.sort_value, near.c.id).limit(query.limit + 1)


def catalog_statement(query: CatalogQuery) -> _Statement:
    """The traces of one page and one more, each with its sort value."""
    column = _SORTS[query.sort]
    wanted = conditions(query.selection)
    if not wanted:
        statement = _after(select(Trace, column.label("sort_value")), query)
        return _in_order(statement, query, column, Trace.id.expression).limit(query.limit + 1)
    # Found before they are sorted. Else PostgreSQL takes what matches for spread evenly over the order, and
    # walks along it through all that do not, such as those whose names come after the word looked for.
    matching = select(Trace.key, Trace.id, column.label("sort_value")).where(*wanted)
    found = _after(matching, query).cte("found").prefix_with("MATERIALIZED")
    page = _in_order(select(found), query, found.c.sort_value, found.c.id).limit(query.limit + 1).subquery()
    statement = select(Trace, page.c.sort_value).join(page, page.c.key == Trace.key)
    return _in_order(statement, query, page.c.sort_value, page.c.id)


def _after(statement: _AnySelect, query: CatalogQuery) -> _AnySelect:
    """Only what comes on the page or later."""
    if query.after is None:
        return statement
    here, there = tuple_(_SORTS[query.sort], Trace.id), tuple_(*query.after)
    return statement.where(here < there if query.is_descending else here > there)


def _in_order(statement: _AnySelect, query: CatalogQuery, *columns: ColumnElement[Any]) -> _AnySelect:
    return statement.order_by(*(one.desc() if query.is_descending else one.asc() for one in columns))


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
