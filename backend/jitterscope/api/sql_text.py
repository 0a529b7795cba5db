"""The rows of a statement as JSON, CSV and NDJSON."""

import json
import math
from collections.abc import Sequence

from jitterscope.api.csv_text import csv_text
from jitterscope.store.read_statement import Rows, Value

# Integers beyond this are not exact in JavaScript.
_EXACT = 1 << 53
_UNITS = ("ns", "khz", "bytes", "pct")


def column_unit(name: str) -> str | None:
    """What the end of a column's name says: `max_ns` is in `ns`."""
    unit = name.rpartition("_")[2].lower()
    return unit if unit in _UNITS else None


def json_of(found: Rows) -> bytes:
    """As the schema `SqlAnswer` says."""
    columns = [
        {"name": column.name, "type": column.type, "unit": column_unit(column.name)}
        for column in found.columns
    ]
    answer = {
        "columns": columns,
        "rows": [[_exact(value) for value in row] for row in found.rows],
        "row_count": len(found.rows),
        "is_truncated": found.is_truncated,
    }
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()


def csv_of(found: Rows) -> bytes:
    """A line of names, then a line a row."""
    return csv_text([[column.name for column in found.columns], *map(_cells, found.rows)]).encode()


def ndjson_of(found: Rows) -> bytes:
    """An object a row; of columns of one name, all but the first have a number appended."""
    names = _unique([column.name for column in found.columns])
    lines = (dict(zip(names, map(_exact, row), strict=True)) for row in found.rows)
    return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines).encode()


def _exact(value: Value) -> Value:
    """JSON has no infinity, and JavaScript no large integers."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _EXACT:
        return str(value)
    return value


def _cells(row: Sequence[Value]) -> list[Value]:
    return [str(value).lower() if isinstance(value, bool) else value for value in row]


def _unique(names: Sequence[str]) -> list[str]:
    found: dict[str, None] = {}
    for name in names:
        number, free = 1, name
        while free in found:
            number += 1
            free = f"{name}_{number}"
        found[free] = None
    return list(found)
