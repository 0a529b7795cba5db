"""A child that writes what a test wants instead of reading its file."""

import json
import struct
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

# A Python of its own, started as the worker starts the real child.
_PROGRAM = """#!{python} -I
import os, pathlib, sys
output = int(dict(told.split("=", 1) for told in sys.argv if "=" in told)["fd:output"])
left = pathlib.Path({frames!r}).read_bytes()
while left:
    left = left[os.write(output, left):]
"""


def frame(tag: str, payload: bytes) -> bytes:
    return struct.pack("<BI", ord(tag), len(payload)) + payload


def json_frame(tag: str, told: object) -> bytes:
    return frame(tag, json.dumps(told).encode())


def table_frame(table: str, rows: Sequence[Sequence[bytes | None]]) -> bytes:
    """Rows of fields as binary COPY has them; None is NULL."""
    stream = b"PGCOPY\n\xff\r\n\0" + bytes(8)
    for row in rows:
        stream += struct.pack(">h", len(row))
        for field in row:
            stream += struct.pack(">i", -1) if field is None else struct.pack(">i", len(field)) + field
    name = table.encode()
    return frame("T", bytes([len(name)]) + name + stream + struct.pack(">h", -1))


@contextmanager
def children_that_write(frames: bytes, folder: Path) -> Iterator[None]:
    """Every child that is started by this process meanwhile writes these bytes."""
    told = folder / "frames"
    told.write_bytes(frames)
    program = folder / "lying-python"
    program.write_text(_PROGRAM.format(python=sys.executable, frames=str(told)))
    program.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "executable", str(program))
        yield
