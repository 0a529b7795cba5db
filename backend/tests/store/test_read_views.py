"""docs/sql.md describes the views and columns that there are."""

import re
from pathlib import Path

import psycopg

from jitterscope.store.read_role import DOCUMENTED_VIEWS

PAGE = Path(__file__).resolve().parents[3] / "docs" / "sql.md"

COLUMNS = """
SELECT c.relname, a.attname, format_type(a.atttypid, NULL) FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
WHERE c.relname = ANY (%s) AND c.relkind = 'v' ORDER BY a.attnum
"""


def test_the_page_describes_every_column(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        stored = connection.execute(COLUMNS, [list(DOCUMENTED_VIEWS)]).fetchall()
    described = []
    sections = (
        PAGE.read_text(encoding="utf-8").partition("## Views\n")[2].partition("\n## ")[0].split("### ")[1:]
    )
    for section in sections:
        view, _, rest = section.partition("\n")
        described += [
            (view, *column) for column in re.findall(r"^\| `(\w+)` \| ([^|]+) \|", rest, re.MULTILINE)
        ]
    assert [section.partition("\n")[0] for section in sections] == list(DOCUMENTED_VIEWS)
    assert sorted(described) == sorted(stored)
