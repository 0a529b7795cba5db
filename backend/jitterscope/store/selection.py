"""Traces chosen in the catalog: by their ids, or by what the catalog shows."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, exists, func, select, true
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.store.models import Label, Trace


@dataclass(frozen=True)
class Selection:
    """Traces that meet every condition. Empty ones are met by all traces, but `ids` of `()` by none.

    `labels` are names with a value, or with None for any value; `search` is words that occur in a name, a
    fact, a label or the sentence of the worst case. `created_by` leaves out what was uploaded since somebody
    looked.
    """

    labels: Sequence[tuple[str, str | None]] = field(default_factory=tuple)
    search: str = ""
    ids: Sequence[str] | None = None
    except_ids: Sequence[str] = ()
    created_by: datetime | None = None


ALL_TRACES = Selection()


class SelectionSize(NamedTuple):
    """`size_bytes` of the uploaded files; `as_of` is the database's clock."""

    trace_count: int
    size_bytes: int
    as_of: datetime


class Content(NamedTuple):
    """A trace, by its public id and by its content."""

    id: str
    sha256: str


def conditions(selection: Selection, trace: type[Trace] = Trace) -> list[ColumnElement[bool]]:
    """What holds for each trace of a selection, by the columns of `trace`, which may be an alias."""
    found = [_has_label(trace, name, value) for name, value in selection.labels]
    if selection.search:
        found.append(_matches(trace, selection.search))
    if selection.ids is not None:
        found.append(trace.id.in_(selection.ids))
    if selection.except_ids:
        found.append(trace.id.not_in(selection.except_ids))
    if selection.created_by is not None:
        found.append(trace.created_at <= selection.created_by)
    return found


async def size_of(session: AsyncSession, selection: Selection) -> SelectionSize:
    """How many traces are selected now, and how large their files are together."""
    totals: tuple[ColumnElement[Any], ...] = (  # Any: columns of several types
        func.count(),
        func.coalesce(func.sum(Trace.size_bytes), 0),
        func.now(),
    )
    row = (await session.execute(select(*totals).select_from(Trace).where(*conditions(selection)))).one()
    return SelectionSize(row[0], int(row[1]), row[2])


async def contents_of(
    session: AsyncSession, selection: Selection, after_id: str, limit: int
) -> list[Content]:
    """At most `limit` selected traces after an id, in the order of ids.

    A walk by id meets each trace once, also if what is done to a trace takes it out of the selection.
    """
    query = select(Trace.id, Trace.sha256).where(*conditions(selection), Trace.id > after_id)
    return [Content(*row) for row in await session.execute(query.order_by(Trace.id).limit(limit))]


def _has_label(trace: type[Trace], name: str, value: str | None) -> ColumnElement[bool]:
    label = exists().where(Label.trace_key == trace.key, Label.name == name)
    return label.where(Label.value == value) if value is not None else label


def _matches(trace: type[Trace], search: str) -> ColumnElement[bool]:
    """Every word of the search occurs in what `search_text` has of the trace, in any case."""
    words = [func.lower(f"%{_escaped(word)}%") for word in search.split()]
    return and_(true(), *(trace.search_text.like(word) for word in words))


def _escaped(word: str) -> str:
    """The word as LIKE finds it to the letter."""
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
