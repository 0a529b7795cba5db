"""The names of the kinds of slices, for SQL."""

import json

from sqlalchemy import Connection, text

from jitterscope import _ftrace

_NAME = text(
    "INSERT INTO slice_kind (kind, name) VALUES (:code, :name) "
    "ON CONFLICT (kind) DO UPDATE SET name = excluded.name"
)


def name_slice_kinds(connection: Connection) -> None:
    """Copies the core's kinds of slices into the table that the view `slice` joins.

    Run after every migration, so that a new kind needs none of its own.
    """
    # A schema that was taken back to before 0010 has no such table.
    if connection.scalar(text("SELECT to_regclass('slice_kind')")) is not None:
        connection.execute(_NAME, json.loads(_ftrace.catalog())["slice_kinds"])
