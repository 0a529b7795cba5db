"""Every table is classified, and the distributed ones can be distributed."""

import psycopg

from jitterscope.store.placement import DISTRIBUTED, LOCAL, REFERENCE


def test_every_table_is_classified(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        tables = connection.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        ).fetchall()
    classified = [*DISTRIBUTED, *REFERENCE, *LOCAL]
    assert sorted(name for (name,) in tables) == sorted(classified)


def test_distributed_tables_have_the_trace_first_in_every_unique_key(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        keys = connection.execute(
            """
            SELECT index.indrelid::regclass::text, attribute.attname
            FROM pg_index AS index
            JOIN pg_attribute AS attribute
                ON attribute.attrelid = index.indrelid AND attribute.attnum = index.indkey[0]
            WHERE index.indisunique AND index.indrelid::regclass::text = ANY(%s)
            """,
            [list(DISTRIBUTED)],
        ).fetchall()
    assert {table for table, _ in keys} == set(DISTRIBUTED)
    assert {first for _, first in keys} == {"trace_key"}


def test_distributed_tables_have_no_foreign_key_and_no_sequence(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        foreign = connection.execute(
            "SELECT conrelid::regclass::text FROM pg_constraint WHERE contype = 'f' "
            "AND (conrelid::regclass::text = ANY(%(tables)s) OR confrelid::regclass::text = ANY(%(tables)s))",
            {"tables": list(DISTRIBUTED)},
        ).fetchall()
        owned = connection.execute(
            "SELECT attrelid::regclass::text FROM pg_attribute WHERE attidentity <> '' "
            "AND attrelid::regclass::text = ANY(%s)",
            [list(DISTRIBUTED)],
        ).fetchall()
    assert (foreign, owned) == ([], [])
