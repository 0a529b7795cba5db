"""Rows of blocks kept in memory, each as PostgreSQL sent it, and put together to COPY streams again."""

from collections.abc import Awaitable, Callable, Sequence

from jitterscope.store.part_cache import LoadParts

# COPY's binary format, sql-copy in PostgreSQL's documentation: a signature, flags, the length of an
# extension; at the end a tuple of -1 fields.
COPY_HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)
COPY_END = b"\xff\xff"

RowId = tuple[int, ...]
ReadRows = Callable[[Sequence[RowId]], Awaitable[list[bytes]]]


async def stream_of(rows: LoadParts, table: str, ids: Sequence[RowId], read: ReadRows) -> bytes:
    """A complete COPY stream of the rows of these ids, in their order; only those not at hand are read.

    `read` returns the rows of ids that rise, in the same order.
    """
    wanted = sorted(set(ids))
    found = {row_id: rows.cache.find(rows.load, (table, row_id)) for row_id in wanted}
    missing = [row_id for row_id, row in found.items() if row is None]
    if missing:
        fresh = await read(missing)
        if len(fresh) != len(missing):
            # The ids come from what this load has stored, so this is another program's doing.
            raise RuntimeError(f"{table} has {len(fresh)} of {len(missing)} rows that its headers name")
        for row_id, row in zip(missing, fresh, strict=True):
            found[row_id] = row
            rows.cache.keep(rows.load, (table, row_id), row)
    return b"".join([COPY_HEAD, *(row for row in found.values() if row is not None), COPY_END])


def rows_of(messages: Sequence[bytes]) -> list[bytes]:
    """The rows of a COPY stream in the messages in which PostgreSQL sends it: one a row, and one for its end.

    Raises: ValueError if it is no such stream.
    """
    if not messages or not messages[0].startswith(COPY_HEAD) or not messages[-1].endswith(COPY_END):
        raise ValueError("not a binary COPY stream in messages of a row each")
    first = messages[0][len(COPY_HEAD) :]
    return [row for row in (first, *messages[1:]) if row != COPY_END]
