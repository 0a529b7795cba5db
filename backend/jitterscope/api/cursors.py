"""Cursors of paged lists: opaque to clients, and untrusted when they come back."""

import base64
import binascii
import json
from typing import Any

from jitterscope.problems import InvalidParameter


def encode_cursor(position: list[Any]) -> str:  # Any: JSON
    return base64.urlsafe_b64encode(json.dumps(position, separators=(",", ":")).encode()).decode().rstrip("=")


def decode_cursor(cursor: str, length: int) -> list[int | str]:
    """The position of a cursor of ours: numbers and texts that the database can hold.

    Raises: InvalidParameter.
    """
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        position = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, RecursionError) as error:
        raise _foreign() from error
    if not isinstance(position, list) or len(position) != length or not all(map(_is_ours, position)):
        raise _foreign()
    return position


def decode_position(cursor: str, limits: tuple[int, int]) -> tuple[int, int]:
    """The two numbers of a cursor of ours, each below its limit.

    Raises: InvalidParameter.
    """
    first, second = decode_cursor(cursor, 2)
    for part, limit in zip((first, second), limits, strict=True):
        if not isinstance(part, int) or not 0 <= part < limit:
            raise _foreign()
    return int(first), int(second)


def _is_ours(part: object) -> bool:
    match part:
        case bool():
            return False
        case int():
            return -(1 << 63) <= part < 1 << 63
        case str():
            return "\0" not in part and not any("\ud800" <= character <= "\udfff" for character in part)
        case _:
            return False


def _foreign() -> InvalidParameter:
    return InvalidParameter("cursor", "is not one that this call has answered; start again without it")
