"""The same done to many traces, a bounded number a call."""

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from jitterscope.ingest.sidecar import describe_all
from jitterscope.ingest.uploads import delete_trace
from jitterscope.problems import NotFound
from jitterscope.store import traces
from jitterscope.store.blobs import BlobStore
from jitterscope.store.database import Database
from jitterscope.store.selection import Selection, contents_of

# One transaction: each of them holds a lock and writes a small file.
_LABELLED_AT_ONCE = 200
_LABEL_SECONDS = 30
# Each is a transaction of its own. A call ends soon, so that progress can be reported in between.
_DELETED_AT_ONCE = 200
_DELETING_SECONDS = 2.0


@dataclass(frozen=True)
class Outcome:
    """`last_id` is the id up to which all is done; None where nothing is left."""

    changed_count: int
    last_id: str | None


async def label_traces(
    database: Database,
    blobs: BlobStore,
    selection: Selection,
    labels: Mapping[str, str | None],
    after_id: str,
) -> Outcome:
    """Set labels, and remove those that are None, on the next selected traces after an id.

    Raises: InvalidParameter if a trace has too many labels then; nothing is changed by this call.
    """
    async with database.lasting(_LABEL_SECONDS) as session:
        found = await contents_of(session, selection, after_id, _LABELLED_AT_ONCE + 1)
        page = found[:_LABELLED_AT_ONCE]
        await traces.lock_contents(session, [content.sha256 for content in page])
        rows = await traces.find_by_ids(session, [content.id for content in page])
        before = await traces.labels_of(session, [row.key for row in rows])
        changed = [
            row
            for row in rows
            if any(before.get(row.key, {}).get(name) != value for name, value in labels.items())
        ]
        await traces.merge_labels(session, [row.key for row in changed], labels)
        await describe_all(session, blobs, changed)
    return Outcome(len(changed), page[-1].id if len(found) > len(page) else None)


async def delete_traces(database: Database, blobs: BlobStore, selection: Selection, after_id: str) -> Outcome:
    """Delete the next selected traces after an id, with all that came from them."""
    async with database.session() as session:
        found = await contents_of(session, selection, after_id, _DELETED_AT_ONCE + 1)
    ends_at = time.monotonic() + _DELETING_SECONDS
    deleted_count = 0
    for place, content in enumerate(found[:_DELETED_AT_ONCE], start=1):
        # Somebody else was quicker.
        with suppress(NotFound):
            await delete_trace(database, blobs, content.id)
            deleted_count += 1
        if time.monotonic() >= ends_at or place == _DELETED_AT_ONCE:
            return Outcome(deleted_count, content.id if place < len(found) else None)
    return Outcome(deleted_count, None)
