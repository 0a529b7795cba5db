"""One page of the catalog of traces: filtered, sorted, continued by key."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import BigInteger, ColumnElement, Row, Select, bindparam, func, literal_column, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from jitterscope.problems import NotFound
from jitterscope.store.models import Trace
from jitterscope.store.selection import ALL_TRACES, Selection, conditions
from jitterscope.store.trace_ids import is_trace_id

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
_NEAR_COUNT = 2_000

SortValue = str | int | datetime
_Statement = Select[int, int, str, Any]
_AnySelect = TypeVar("_AnySelect", bound=Select[*tuple[Any, ...]])

# The transaction that wrote the row. Any other content of it was written by another one.
_VERSION = literal_column("trace.xmin::text::bigint", BigInteger).label("version")
# Made once: many requests ask this, and making a statement takes longer than running it.
_VERSION_BY_ID = select(Trace.key, _VERSION).where(Trace.id == bindparam("trace_id"))


class TraceVersion(NamedTuple):
    """The key of a trace, and which content of its row."""

    key: int
    version: int


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
) -> tuple[Sequence[TraceVersion], tuple[SortValue, str] | None]:
    """The traces of one page, and from where the next one continues (None after the last)."""
    rows: Sequence[Row[int, int, str, Any]] = []
    if query.selection.search or query.selection.labels:
        rows = (await session.execute(near_statement(query))).all()
    if len(rows) <= query.limit:
        rows = (await session.execute(catalog_statement(query))).all()
    page = rows[: query.limit]
    has_more = len(rows) > query.limit
    found = [TraceVersion(key, version) for key, version, _, _ in page]
    return found, (page[-1].sort_value, page[-1].id) if has_more else None


async def version_of(session: AsyncSession, trace_id: str) -> TraceVersion:
    """The trace with a public id as it is now.

    Raises: NotFound.
    """
    if is_trace_id(trace_id):
        row = (await session.execute(_VERSION_BY_ID, {"trace_id": trace_id})).one_or_none()
        if row is not None:
            return TraceVersion(*row)
    raise NotFound(f"There is no trace {trace_id!r}.")


async def rows_of(session: AsyncSession, keys: Sequence[int]) -> Sequence[Trace]:
    """Those of the traces that are there, in the order of these keys."""
    found = {row.key: row for row in await session.scalars(select(Trace).where(Trace.key.in_(keys)))}
    return [found[key] for key in keys if key in found]


def near_statement(query: CatalogQuery) -> _Statement:
    """As `catalog_statement`, of the traces that come first alone; if they fill the page, it is the same."""
    column = _SORTS[query.sort]
    columns = (Trace.key, _VERSION, Trace.id, column.label("sort_value"))
    first = _after(select(*columns, Trace.search_text, Trace.created_at), query)
    near = _in_order(first, query, column, Trace.id.expression).limit(_NEAR_COUNT).subquery("near")
    statement = select(near.c.key, near.c.version, near.c.id, near.c.sort_value)
    statement = statement.where(*conditions(query.selection, aliased(Trace, near)))
    return _in_order(statement, query, near.c.sort_value, near.c.id).limit(query.limit + 1)


def catalog_statement(query: CatalogQuery) -> _Statement:
    """The key, the version, the id and the sort value of the traces of one page and one more."""
    column = _SORTS[query.sort]
    wanted = conditions(query.selection)
    matching = _after(select(Trace.key, _VERSION, Trace.id, column.label("sort_value")), query)
    if not wanted:
        return _in_order(matching, query, column, Trace.id.expression).limit(query.limit + 1)
    # Found before they are sorted. Else PostgreSQL takes what matches for spread evenly over the order, and
    # walks along it through all that do not, such as those whose names come after the word looked for.
    found = matching.where(*wanted).cte("found").prefix_with("MATERIALIZED")
    statement = select(found.c.key, found.c.version, found.c.id, found.c.sort_value)
    return _in_order(statement, query, found.c.sort_value, found.c.id).limit(query.limit + 1)


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
