"""Statements of the schema, for every PostgreSQL that the service runs on."""

import re

from alembic import op

# trace_key bigint NOT NULL,
# dt integer[] STORAGE EXTERNAL NOT NULL,
_STORAGE_CLAUSE = re.compile(r"(\w+) (\w+(?:\[\])?) STORAGE (\w+)")
# Finds parts of words by an index. PostgreSQL ships it, some distributions in a package of its own; without
# it every search reads all names.
_HAS_TRIGRAMS = "SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm'"
_SCHEMA_OF_TRIGRAMS = "SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'pg_trgm'"
_TABLE = re.compile(r"\s*(?:CREATE|ALTER) TABLE (?:IF NOT EXISTS )?(\w+)")


def execute_ddl(statement: str) -> None:
    """Runs one CREATE TABLE, or one ALTER TABLE … ADD COLUMN, whose columns may have a STORAGE clause.

    PostgreSQL knows that clause in these two statements since version 16; to an older one the same is
    said in ALTER TABLE statements of its own. The clause only takes effect for values stored later, so
    both ways give the same table.
    """
    for part in without_storage_clauses(statement):
        op.execute(part)


def statements(script: str) -> list[str]:
    """The statements of a script, each of which ends with a line's last `;`, without lines of comments."""
    lines = [line for line in script.splitlines() if not line.startswith("--")]
    return [found for part in "\n".join(lines).split(";\n") if (found := part.strip(" ;\n"))]


def without_storage_clauses(statement: str) -> list[str]:
    """The statement as PostgreSQL 15 takes it, and one for each storage that it names.

    Raises: ValueError if a storage is named in anything but CREATE TABLE and ALTER TABLE.
    """
    clauses = _STORAGE_CLAUSE.findall(statement)
    if not clauses:
        return [statement]
    table = _TABLE.match(statement)
    if table is None:
        raise ValueError(f"not a statement that makes columns: {statement}")
    settings = ", ".join(f"ALTER COLUMN {column} SET STORAGE {storage}" for column, _, storage in clauses)
    return [
        _STORAGE_CLAUSE.sub(r"\1 \2", statement),
        f"ALTER TABLE {table[1]} {settings}",
    ]


def index_search() -> None:
    """Indexes what the catalog is searched by, where the database can."""
    if op.get_bind().exec_driver_sql(_HAS_TRIGRAMS).first() is None:
        return
    # Its functions stay out of the schema whose objects are all ours, unless it is there already.
    op.execute("CREATE SCHEMA IF NOT EXISTS extensions")
    op.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA extensions")
    schema = op.get_bind().exec_driver_sql(_SCHEMA_OF_TRIGRAMS).scalar_one()
    op.execute(
        f"CREATE INDEX IF NOT EXISTS trace_search ON trace USING gin (search_text {schema}.gin_trgm_ops)"
    )
