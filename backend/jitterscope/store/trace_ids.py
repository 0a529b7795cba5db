"""Public ids of traces, made from their content."""

import base64
import re
from collections.abc import Iterator

_SHORTEST = 12
_ID = re.compile(r"[a-z2-7]{12,52}")


def candidate_ids(sha256: str) -> Iterator[str]:
    """Prefixes of the content hash in lower-case base32, the shortest first.

    The first one that no other content has is the trace's id, so the same file has the same
    permalinks after a re-upload and on another server.
    """
    text = base64.b32encode(bytes.fromhex(sha256)).decode("ascii").rstrip("=").lower()
    return (text[:length] for length in range(_SHORTEST, len(text) + 1, 4))


def is_trace_id(text: str) -> bool:
    """Whether a trace may have this id."""
    return _ID.fullmatch(text) is not None
