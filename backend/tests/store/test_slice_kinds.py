"""The core's catalog is the only list of the kinds of slices."""

import json
import re
from pathlib import Path

import pytest

from jitterscope import _ftrace

ROOT = Path(__file__).parents[3]
NAMES = [kind["name"] for kind in json.loads(_ftrace.catalog())["slice_kinds"]]
NAME = "|".join(NAMES)
# `kind === 'sched'`, `kind = 1`, `CASE block.kind WHEN 1`
COMPARISON = re.compile(rf"\bkind\s*(?:[!=]==?|=|<>|IN|WHEN)\s*\(?\s*(?:['\"](?:{NAME})['\"]|\d+\b)")
# `'sched'`, `sched: 'running'`
ENTRY = re.compile(rf"['\"]({NAME})['\"]|(?:^|[{{,])\s*({NAME}):", re.MULTILINE)
# What takes time on a CPU has names of its own, and some are those of slices.
CAUSES = {"causeInk.ts", "causeLook.ts", "proven.py"}
# The statements that people are shown, and the one view that is of a kind, name it as people do.
STATEMENTS = {"asSql.ts", "examples.ts", "read_views.sql"}
# Which events begin and end a slice is known by the page alone.
BOUNDS = {"sliceBounds.ts"}


def sources() -> list[Path]:
    python = (ROOT / "backend/jitterscope").rglob("*.py")
    sql = (path for path in (ROOT / "migrations").rglob("*") if path.suffix in {".py", ".sql"})
    page = [path for path in (ROOT / "frontend/src").rglob("*.ts*") if path.name != "generated.ts"]
    return [
        path
        for path in [*python, *sql, *page]
        if path.name not in CAUSES | STATEMENTS | BOUNDS
        and ".test." not in path.name
        and ".fixture." not in path.name
    ]


def mentions(text: str) -> list[str]:
    """Comparisons with a kind, and the names of a list of more than three."""
    listed = {"".join(names) for names in ENTRY.findall(text)}
    return COMPARISON.findall(text) + (sorted(listed) if len(listed) > 3 else [])


def test_no_other_file_lists_the_kinds_or_asks_for_one() -> None:
    found = {str(path.relative_to(ROOT)): mentions(path.read_text()) for path in sources()}
    assert len(found) > 300
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "text",
    [
        "if (lane.kind === 'sched') return;",
        "WHERE kind = 1",
        "CASE block.kind WHEN 1 THEN 'x'",
        "{ sched: 'running',\n  irq: 'irq',\n  'softirq', \"idle\" }",
    ],
)
def test_it_sees_what_it_is_there_to_see(text: str) -> None:
    assert mentions(text)
