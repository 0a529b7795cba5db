"""Arrays of whole numbers of a row, without an object for each number."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from psycopg import postgres
from psycopg.adapt import Loader
from psycopg.pq import Format

if TYPE_CHECKING:
    from psycopg.abc import Buffer

# By its number: psycopg takes the name of an array for that of its elements.
BIGINT_ARRAY = postgres.types["int8"].array_oid
# array_send of PostgreSQL's arrayfuncs.c: dimensions, whether there are nulls, and the type of elements; for
# each dimension its size and first index; then the elements, each after its length.
_HEAD = struct.Struct(">iiI")
_DIMENSION = struct.Struct(">ii")
_ELEMENT = np.dtype([("length", ">i4"), ("value", ">i8")])


class WholeNumbers(Loader):
    """Loads a bigint[] of one dimension and without nulls. Raises: ValueError for any other."""

    format = Format.BINARY

    def load(self, data: Buffer) -> NDArray[np.int64]:
        """The numbers, in an array of their own."""
        dimensions, has_nulls, _ = _HEAD.unpack_from(data)
        if dimensions == 0:
            return np.zeros(0, np.int64)
        if dimensions > 1 or has_nulls:
            raise ValueError("an array of a row has nulls or several dimensions")
        elements = np.frombuffer(data, _ELEMENT, offset=_HEAD.size + _DIMENSION.size)
        return elements["value"].astype(np.int64)
