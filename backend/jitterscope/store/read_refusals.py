"""What PostgreSQL says about a statement of somebody's own, in words that are safe to show."""

import re

import psycopg

from jitterscope.problems import AppError, DatabaseUnavailable, SqlRefused, SqlUnavailable
from jitterscope.settings import Settings, size_text
from jitterscope.store.read_role import DOCUMENTED_VIEWS

_LONGEST_MESSAGE = 500
# invalid input syntax for type boolean: "jitterscope: a row of 300000 bytes"
_LONG_ROW = re.compile(r'"jitterscope: a row of (\d+) bytes"')
# "operator does not exist: text = text[]": traces that are compared as if they were one.
_ARRAY = re.compile(r"\btext\[\]")
# Classes of SQLSTATE that are about the statement; messages of others may be about the server.
_ABOUT_STATEMENT = ("0A", "21", "22", "25", "2F", "34", "39", "42", "44", "54", "55")


def refusal(error: psycopg.Error | TimeoutError, settings: Settings, position: int | None = None) -> AppError:
    """The problem for the caller; `position` is that of the fault, in characters from 1."""
    match error:
        case TimeoutError() | psycopg.errors.QueryCanceled():
            return SqlRefused(
                f"The statement took longer than {settings.sql_seconds:g} s (JITTERSCOPE_SQL_SECONDS); "
                "ask about one trace, a shorter stretch of time, or one of the views of sums.",
                code="sql_timeout",
            )
        case psycopg.errors.ConfigurationLimitExceeded():
            return SqlRefused(
                "The statement needed more room for temporary files than one may have (temp_file_limit); "
                "sort or join fewer rows.",
                code="sql_too_large",
            )
        case psycopg.errors.OutOfMemory():
            return SqlRefused(
                f"The statement needed more memory than {size_text(settings.sql_memory_bytes)} "
                "(JITTERSCOPE_SQL_MEMORY_BYTES); gather fewer or shorter values.",
                code="sql_too_large",
            )
        case psycopg.errors.InsufficientPrivilege():
            views = ", ".join(DOCUMENTED_VIEWS)
            return SqlRefused(
                f"{_sentence(error)}. A statement may read the views {views}, and change nothing.",
                code="sql_not_allowed",
                position=position,
            )
        case psycopg.errors.ProtocolViolation():
            return SqlRefused("A statement knows one parameter, $1, which is the array of its traces.")
        case psycopg.errors.TooManyConnections():
            return DatabaseUnavailable("All connections for SQL are in use; try again in a moment.")
        case psycopg.errors.InvalidPassword() | psycopg.errors.InvalidAuthorizationSpecification():
            return SqlUnavailable(
                "The database does not let the role of JITTERSCOPE_SQL_DATABASE_URL in; see "
                "docs/operators.md, “SQL for people”."
            )
        case psycopg.Error(sqlstate=str(state)) if state[:2] in _ABOUT_STATEMENT:
            return _about_statement(error, settings, position)
        case psycopg.OperationalError() | psycopg.InterfaceError():
            return DatabaseUnavailable("The database does not answer; try again in a moment.")
        case _:
            return SqlRefused("The database could not run the statement.", code="sql_failed")


def _about_statement(error: psycopg.Error, settings: Settings, position: int | None) -> SqlRefused:
    message = _sentence(error)
    if (row := _LONG_ROW.search(message)) is not None:
        return SqlRefused(
            f"A row has {int(row[1]):,} bytes; the limit is {size_text(settings.max_sql_row_bytes)} "
            "(JITTERSCOPE_MAX_SQL_ROW_BYTES). Select shorter values.",
            code="sql_too_large",
        )
    hint = error.diag.message_hint
    if isinstance(error, psycopg.errors.UndefinedFunction) and _ARRAY.search(message) is not None:
        hint = "$1 is the array of the chosen traces, also where it is one; write trace = ANY ($1)."
    return SqlRefused(f"{message}. {hint}" if hint else f"{message}.", position=position)


def _sentence(error: psycopg.Error) -> str:
    message = (error.diag.message_primary or "refused by the database")[:_LONGEST_MESSAGE].rstrip(".")
    return message[:1].upper() + message[1:]
