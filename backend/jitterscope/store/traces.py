"""Rows of traces and what belongs to them: found, created, changed and deleted as a whole."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Text,
    bindparam,
    delete,
    func,
    literal,
    select,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import aggregate_order_by, insert
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.problems import InvalidParameter, NotFound
from jitterscope.store.labels import MAX_LABELS
from jitterscope.store.models import DiagnosticLine, JsonObject, Label, Trace, TraceStatus
from jitterscope.store.placement import DISTRIBUTED
from jitterscope.store.trace_ids import candidate_ids, is_trace_id

# Made once: many requests ask this, and making a statement takes longer than running it.
_BY_ID = select(Trace).where(Trace.id == bindparam("trace_id"))


def is_measurement_sql(key: str) -> str:
    """Whether the trace with the key that this SQL expression gives is a file of what a program measured:
    all that it holds are samples.
    """
    return f"EXISTS (SELECT FROM latency_kind WHERE trace_key = {key} AND name = 'measured' AND count > 0)"


# One statement, since every look at the catalog asks it, and a round trip costs more than each of these.
# json and not jsonb, which would put the labels into an order of its own.
_DETAILS = text(f"""
SELECT key AS trace_key,
    coalesce((
        SELECT json_object_agg(name, value ORDER BY name) FROM label WHERE trace_key = key
    ), '{{}}') AS labels,
    coalesce((SELECT missing FROM trace_missing WHERE trace_key = key), '{{}}') AS missing,
    coalesce((
        SELECT json_agg(to_json(found) ORDER BY first_byte_offset, code)
        FROM diagnostic AS found WHERE trace_key = key
    ), '[]') AS diagnostics,
    (SELECT count(*) FROM loss WHERE trace_key = key) AS loss_count,
    {is_measurement_sql("key")} AS is_measurement
FROM unnest(:keys) AS key
""").bindparams(bindparam("keys", type_=ARRAY(BigInteger)))  # noqa: S608 (no value from outside)


@dataclass(frozen=True)
class NewTrace:
    """What is known of a file before it is read."""

    sha256: str
    size_bytes: int
    filename: str
    name: str
    # Absent for one that comes now.
    created_at: datetime | None = None
    # Absent for one that never had an id.
    id: str | None = None


async def lock_content(session: AsyncSession, sha256: str) -> None:
    """Hold off everybody else who creates or removes this content, until the transaction ends."""
    await session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(sha256, 0))))


async def lock_contents(session: AsyncSession, hashes: Iterable[str]) -> None:
    """The same for several at once: all take them in one order, so that there is no deadlock."""
    ordered = func.unnest(bindparam("hashes", sorted(hashes), ARRAY(Text))).column_valued("sha256")
    await session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(ordered, 0))))


async def find_by_content(session: AsyncSession, sha256: str) -> Trace | None:
    return await session.scalar(select(Trace).where(Trace.sha256 == sha256))


async def find_and_lock(session: AsyncSession, trace_id: str) -> Trace:
    """The trace with a public id, as it is once no other transaction can create, change or remove its
    content.

    Raises: NotFound.
    """
    await lock_content(session, (await find_by_id(session, trace_id)).sha256)
    session.expire_all()
    return await find_by_id(session, trace_id)


async def find_by_id(session: AsyncSession, trace_id: str) -> Trace:
    """The trace with a public id.

    Raises: NotFound.
    """
    trace = await find_or_none(session, trace_id)
    if trace is None:
        raise NotFound(f"There is no trace {trace_id!r}.")
    return trace


async def find_or_none(session: AsyncSession, trace_id: str) -> Trace | None:
    """The trace with a public id, if there is one."""
    return await session.scalar(_BY_ID, {"trace_id": trace_id}) if is_trace_id(trace_id) else None


async def find_by_ids(session: AsyncSession, ids: Sequence[str]) -> Sequence[Trace]:
    """Those of the traces that are there, in the order of ids."""
    return (await session.scalars(select(Trace).where(Trace.id.in_(ids)).order_by(Trace.id))).all()


async def create(session: AsyncSession, new: NewTrace) -> Trace:
    """A queued trace. The content must be locked and unknown."""
    trace = Trace(
        id=new.id or await _free_id(session, new.sha256),
        sha256=new.sha256,
        filename=new.filename,
        name=new.name,
        size_bytes=new.size_bytes,
        bytes_total=new.size_bytes,
        status=TraceStatus.QUEUED,
        progress=0.0,
        bytes_done=0,
        attempt=0,
        crash_count=0,
        missing_count=0,
    )
    if new.created_at is not None:
        trace.created_at = new.created_at
    session.add(trace)
    await session.flush()
    return trace


async def begin_again(session: AsyncSession, trace: Trace) -> Trace:
    """The trace, queued as if it had just been uploaded: its id, name, labels and time, and nothing else.

    Its key is another one, so a worker that still loads the old one, or a cache that holds it, does no
    harm. The content must be locked.
    """
    labels = (await labels_of(session, [trace.key])).get(trace.key, {})
    new = NewTrace(trace.sha256, trace.size_bytes, trace.filename, trace.name, trace.created_at, id=trace.id)
    await remove(session, trace)
    again = await create(session, new)
    await set_labels(session, [again.key], labels)
    return again


async def _free_id(session: AsyncSession, sha256: str) -> str:
    ids = list(candidate_ids(sha256))
    taken = set(await session.scalars(select(Trace.id).where(Trace.id.in_(ids))))
    return next(trace_id for trace_id in ids if trace_id not in taken)


async def remove(session: AsyncSession, trace: Trace) -> None:
    """Delete a trace with all that came from it. Its file is left to `unreferenced`."""
    # The trace's row goes first: a load that is about to commit is waited for, and its blocks are
    # seen by the deletes that follow; one that comes later finds no row and rolls back.
    await session.execute(delete(Trace).where(Trace.key == trace.key))
    await session.execute(delete(Label).where(Label.trace_key == trace.key))
    for table in DISTRIBUTED:
        await session.execute(text(f"DELETE FROM {table} WHERE trace_key = :key"), {"key": trace.key})  # noqa: S608 (names from a constant)


async def unreferenced(session: AsyncSession, sha256: str) -> bool:
    """Whether no trace has this content; the answer holds until the transaction ends."""
    await lock_content(session, sha256)
    return await find_by_content(session, sha256) is None


async def merge_labels(
    session: AsyncSession, trace_keys: Sequence[int], labels: Mapping[str, str | None]
) -> None:
    """Set the labels that have a value, remove those that have none, leave the others.

    Raises: InvalidParameter if a trace has too many of them then.
    """
    await set_labels(session, trace_keys, labels)
    if any(value is not None for value in labels.values()):
        await _require_few_labels(session, trace_keys)


async def set_labels(
    session: AsyncSession, trace_keys: Sequence[int], labels: Mapping[str, str | None]
) -> None:
    """The same for labels that a trace had before, however many they are."""
    removed = [name for name, value in labels.items() if value is None]
    if removed:
        await session.execute(delete(Label).where(Label.trace_key.in_(trace_keys), Label.name.in_(removed)))
    rows = [
        {"trace_key": trace_key, "name": name, "value": value}
        for trace_key in trace_keys
        for name, value in labels.items()
        if value is not None
    ]
    if rows:
        statement = insert(Label)
        await session.execute(
            statement.on_conflict_do_update(
                index_elements=[Label.trace_key, Label.name], set_={"value": statement.excluded.value}
            ),
            rows,
        )
    if labels:
        await session.execute(update(Trace).where(Trace.key.in_(trace_keys)).values(label_text=label_text()))


def label_text() -> ColumnElement[str]:
    """The labels of a trace as the catalog searches them."""
    line = Label.name + ":" + Label.value
    text = select(func.string_agg(line, aggregate_order_by(literal("\n"), Label.name)))
    return func.coalesce(text.where(Label.trace_key == Trace.key).scalar_subquery(), "")


async def _require_few_labels(session: AsyncSession, trace_keys: Sequence[int]) -> None:
    count = func.count()
    query = select(Trace.id, count).join(Label, Label.trace_key == Trace.key).where(Trace.key.in_(trace_keys))
    crowded = (await session.execute(query.group_by(Trace.id).having(count > MAX_LABELS).limit(1))).first()
    if crowded is not None:
        detail = (
            f"trace {crowded[0]} would have {crowded[1]} labels; {MAX_LABELS} is the most, "
            "so remove some first"
        )
        raise InvalidParameter("labels", detail, location="body")


async def labels_of(session: AsyncSession, keys: Iterable[int]) -> dict[int, dict[str, str]]:
    """Labels by trace, each in alphabetical order."""
    rows = await session.scalars(
        select(Label).where(Label.trace_key.in_(list(keys))).order_by(Label.trace_key, Label.name)
    )
    found: dict[int, dict[str, str]] = {}
    for row in rows:
        found.setdefault(row.trace_key, {})[row.name] = row.value
    return found


async def label_value(session: AsyncSession, trace_id: str, name: str) -> str | None:
    """The value of one label; None where there is no such label, or no such trace."""
    if not is_trace_id(trace_id):
        return None
    query = select(Label.value).join(Trace, Trace.key == Label.trace_key)
    return await session.scalar(query.where(Trace.id == trace_id, Label.name == name))


async def diagnostic_lines(
    session: AsyncSession, trace_key: int, code: str | None, after_idx: int, limit: int
) -> Sequence[DiagnosticLine]:
    """At most `limit` kept diagnostics after one of them, in file order."""
    query = select(DiagnosticLine).where(
        DiagnosticLine.trace_key == trace_key, DiagnosticLine.idx > after_idx
    )
    if code is not None:
        query = query.where(DiagnosticLine.code == code)
    return (await session.scalars(query.order_by(DiagnosticLine.idx).limit(limit))).all()


class TraceDetails(NamedTuple):
    """Labels are in alphabetical order; diagnostics, columns by name, in that of their first places."""

    trace_key: int
    labels: dict[str, str]
    missing: JsonObject
    diagnostics: list[JsonObject]
    loss_count: int
    is_measurement: bool


async def details_of(session: AsyncSession, keys: Iterable[int]) -> dict[int, TraceDetails]:
    """What an answer has of these traces besides their own rows, by key."""
    rows = await session.execute(_DETAILS, {"keys": list(keys)})
    return {row.trace_key: row for row in (TraceDetails(*found) for found in rows)}
