"""What people said about a recording, as it is kept beside its file.

With it the stored files are enough to restore every trace: the database can be lost. Anybody may
have put it there, so it is read like everything else that comes from outside.
"""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.ingest.names import display_filename, display_text
from jitterscope.store import traces
from jitterscope.store.blobs import BlobStore
from jitterscope.store.labels import LabelName, LabelValue
from jitterscope.store.models import Trace

_VERSION = 1
# Earlier releases had no bound on them.
_MAX_LABELS = 4096
# Characters of a hash that stand for a file of which nothing else is known.
_HASH_CHARACTERS = 12
# No recording was uploaded before there was anything to upload to.
_EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)


class Sidecar(BaseModel):
    """One description. Fields of a later version are left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    version: int = Field(_VERSION, ge=1)
    sha256: str
    size_bytes: int
    filename: Annotated[str, Field(max_length=1000)]
    name: Annotated[str, Field(max_length=1000)]
    labels: Annotated[dict[LabelName, LabelValue], Field(max_length=_MAX_LABELS)]
    created_at: AwareDatetime

    @staticmethod
    def of_trace(trace: Trace, labels: dict[str, str]) -> "Sidecar":
        """The description of a stored trace, unchecked; `created_at` in UTC."""
        # What is stored was checked when it came in, maybe by the rules of an earlier version.
        return Sidecar.model_construct(
            version=_VERSION,
            sha256=trace.sha256,
            size_bytes=trace.size_bytes,
            filename=trace.filename,
            name=trace.name,
            labels=labels,
            created_at=trace.created_at.astimezone(UTC),
        )

    @staticmethod
    def of_unknown(sha256: str, size_bytes: int, stored_at: float) -> "Sidecar":
        """The description of a file that has lost its own: its name is made from its hash."""
        short = sha256[:_HASH_CHARACTERS]
        now = datetime.now(UTC)
        # A copy may have any time.
        seconds = min(max(stored_at, _EARLIEST.timestamp()), now.timestamp())
        return Sidecar(
            sha256=sha256,
            size_bytes=size_bytes,
            filename=f"trace-{short}",
            name=short,
            labels={},
            created_at=datetime.fromtimestamp(seconds, UTC),
        )

    def describes(self, trace: Trace, labels: dict[str, str]) -> bool:
        """Whether it says what the database says."""
        said = (self.filename, self.name, self.labels, self.created_at)
        return said == (trace.filename, trace.name, labels, trace.created_at)

    def to_bytes(self) -> bytes:
        return self.model_dump_json(indent=1).encode() + b"\n"


def parse_sidecar(content: bytes, sha256: str, size_bytes: int) -> Sidecar | None:
    """The description of the file of that hash and size, fit to be shown; None if it is none."""
    try:
        read = Sidecar.model_validate_json(content)
    except ValidationError:
        return None
    now = datetime.now(UTC)
    if (read.sha256, read.size_bytes) != (sha256, size_bytes) or read.created_at < _EARLIEST:
        return None
    filename = display_filename(read.filename)
    shown = {
        "filename": filename,
        "name": display_text(read.name) or filename,
        "created_at": min(read.created_at, now).astimezone(UTC),
    }
    return read.model_copy(update=shown)


async def describe(session: AsyncSession, blobs: BlobStore, trace: Trace) -> None:
    """Write the description of a trace as it will be after this transaction. The content must be locked.

    It is on the disk before the transaction commits: what was acknowledged can be had again without the
    database. A description whose transaction fails is put right by the next look at the store.
    """
    await describe_all(session, blobs, [trace])


async def describe_all(session: AsyncSession, blobs: BlobStore, rows: Sequence[Trace]) -> None:
    """The same for several traces."""
    labels = await traces.labels_of(session, [trace.key for trace in rows])
    written = [
        (trace.sha256, Sidecar.of_trace(trace, labels.get(trace.key, {})).to_bytes()) for trace in rows
    ]

    def write() -> None:
        for sha256, content in written:
            blobs.write_sidecar(sha256, content)

    await asyncio.to_thread(write)
