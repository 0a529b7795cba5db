"""A catalog of many traces, and what its page asks for."""

from collections.abc import Iterator
from urllib.parse import quote

import psycopg
from product import Product
from psycopg import sql

SORTS = (
    "created_at",
    "name",
    "status",
    "kernel",
    "tracer",
    "cpu_count",
    "duration_ns",
    "event_count",
    "call_count",
    "record_count",
    "worst",
    "size_bytes",
)
# One trace in a thousand has it.
RARE_LABEL = "night:7"
# The oldest quarter has it.
OLD_LABEL = "rack:3"

_COLUMNS = """
SELECT column_name FROM information_schema.columns
WHERE table_schema = 'public' AND table_name = %s AND is_generated = 'NEVER' AND is_identity = 'NO'
ORDER BY ordinal_position
"""
# What differs from the trace that all are copied from; `n` counts them.
_OWN: dict[str, str] = {
    "id": "'bench' || lpad(n::text, 7, '0')",
    "sha256": "md5(n::text) || md5('x' || n::text)",
    "name": "(ARRAY['cyclic', 'sleep', 'ftq', 'hwlat'])[n % 4 + 1] || '-' "
    "|| (ARRAY['idle', 'load'])[n % 2 + 1] || '-run' || n || '-' || md5(n::text)",
    "filename": "'run' || n || '.dat'",
    "kernel": "'6.' || n % 20 || '.' || n % 7",
    "created_at": "now() - n * interval '1 minute'",
    "event_count": "hashint4(n)::bigint + 2147483648",
    "duration_ns": "hashint4(n + 1)::bigint + 2147483648",
    "worst_duration_ns": "hashint4(n + 2)::bigint + 2147483648",
    "label_text": "'night' || E'\\n' || n % 1000 || E'\\n' || 'board' || E'\\n' || 'rpi' || n % 5 "
    "|| E'\\n' || 'rack' || E'\\n' || n / 25000",
}


def fill(database_url: str, like: str, count: int) -> None:
    """Copies the row of a trace `count` times, with its worst cases and three labels; no files, no events."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        names = [str(row[0]) for row in connection.execute(_COLUMNS, ["trace"])]
        values = [sql.SQL(_OWN[name]) if name in _OWN else sql.Identifier("model", name) for name in names]
        connection.execute(
            sql.SQL(
                "INSERT INTO trace ({}) SELECT {} FROM trace AS model, generate_series(1, {}) AS n "
                "WHERE model.id = {}"
            ).format(
                sql.SQL(", ").join(map(sql.Identifier, names)),
                sql.SQL(", ").join(values),
                sql.Literal(count),
                sql.Literal(like),
            )
        )
        connection.execute(
            "INSERT INTO label SELECT key, one.name, one.value FROM trace, LATERAL (VALUES "
            "('night', split_part(label_text, E'\\n', 2)), ('board', split_part(label_text, E'\\n', 4)), "
            "('rack', split_part(label_text, E'\\n', 6))"
            ") AS one (name, value) WHERE id LIKE 'bench%'"
        )
        for table in ("latency_kind", "latency_case", "latency_explanation"):
            _copy_rows(connection, table, like)
        connection.execute("VACUUM ANALYZE")


def _copy_rows(connection: psycopg.Connection, table: str, like: str) -> None:
    names = [str(row[0]) for row in connection.execute(_COLUMNS, [table]) if row[0] != "trace_key"]
    columns = sql.SQL(", ").join(map(sql.Identifier, names))
    first = sql.SQL("AND model.rank <= 1") if "rank" in names else sql.SQL("")
    connection.execute(
        sql.SQL(
            "INSERT INTO {0} (trace_key, {1}) SELECT trace.key, {2} FROM {0} AS model, trace "
            "WHERE model.trace_key = (SELECT key FROM trace WHERE id = {3}) AND trace.id LIKE 'bench%' {4}"
        ).format(
            sql.Identifier(table),
            columns,
            sql.SQL(", ").join(sql.Identifier("model", name) for name in names),
            sql.Literal(like),
            first,
        )
    )


def asks(product: Product) -> Iterator[tuple[str, str]]:
    """What is asked, by what it is called."""
    page = "/api/v1/traces?limit=50"
    for name in SORTS:
        for sort in (name, f"-{name}"):
            yield f"sorted by {sort}", f"{page}&sort={sort}"
            yield f"a search in 25,000, by {sort}", f"{page}&sort={sort}&q=cyclic"
    yield "a rare word", f"{page}&q=run4242-"
    yield "two common words", f"{page}&q={quote('sleep idle')}"
    yield "two letters", f"{page}&q=8f"
    yield "two letters that nothing has", f"{page}&q=zq"
    yield "a word that comes late in the order", f"{page}&sort=name&q=sleep"
    yield "two words that come late in the order", f"{page}&sort=name&q={quote('sleep load')}"
    yield "words that nothing has together", f"{page}&sort=name&q={quote('sleep ftq')}"
    yield "a kernel that comes late in the order", f"{page}&sort=-kernel&q=6.10."
    yield "a label and a word, late in the order", f"{page}&sort=name&label=board:rpi3&q=sleep"
    yield "a word that nothing has", f"{page}&q=nothinghasit"
    yield "a rare label", f"{page}&label={RARE_LABEL}"
    yield "a rare label, by worst case", f"{page}&label={RARE_LABEL}&sort=-worst"
    yield "the label of the oldest", f"{page}&label={OLD_LABEL}"
    yield "a word of the oldest", f"{page}&q={quote('rack 3')}"
    yield "a common label and a word", f"{page}&label=board:rpi3&q=ftq"
    behind = product.ask(f"{page}&sort=-worst&q=load")["next"]
    yield "the next page of a search", f"{page}&sort=-worst&q=load&cursor={quote(behind)}"
