"""Every setting of the service, in one table.

A setting is read from the environment variable of its name in capitals with `JITTERSCOPE_` before it
(`JITTERSCOPE_MAX_UPLOAD_BYTES`); only `DATABASE_URL` has the name that other tools use for it, too.
"""

import difflib
import os
from pathlib import Path
from typing import Self

import pydantic_settings
from psycopg.conninfo import make_conninfo
from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from jitterscope.shipped import REPOSITORY, shipped_folder

_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_KIB, _MIB, _GIB = 1 << 10, 1 << 20, 1 << 30


_PREFIX = "JITTERSCOPE_"
# Variables of tools and of commands that ask a server, which are no settings of the service.
_OF_TOOLS = ("JITTERSCOPE_BENCH_", "JITTERSCOPE_E2E_", "JITTERSCOPE_SERVER", "JITTERSCOPE_TOKEN")


class SettingsError(Exception):
    """A setting that the service cannot start with; the message names it, what is wrong, and the way out."""


class ReadingLimits(BaseSettings):
    """Bounds on what a file can make the parser do. The names and defaults are those of the core."""

    max_expanded_bytes: int = Field(64 * _GIB, gt=0, description="Size of a compressed file once expanded.")
    max_expansion_ratio: int = Field(200, gt=0, description="Expanded size over compressed size.")
    expansion_ratio_floor_bytes: int = Field(
        64 * _MIB, gt=0, description="Expanded size below which the ratio is not looked at."
    )
    max_decoder_memory_bytes: int = Field(
        128 * _MIB, gt=0, description="Memory that a decompressor may ask for."
    )
    max_line_bytes: int = Field(64 * _KIB, gt=0, description="Length of a line; the rest of it is cut.")
    max_depth: int = Field(512, gt=0, description="Depth of nested calls; deeper ones are folded.")
    max_cpus: int = Field(8_192, gt=0, description="CPUs of one trace.")
    max_tasks: int = Field(65_536, gt=0, description="Tasks of one trace; the others are counted together.")
    max_names: int = Field(65_536, gt=0, description="Names of one trace; the others are counted together.")
    max_event_formats: int = Field(16_384, gt=0, description="Event formats that a trace.dat may describe.")
    max_format_bytes: int = Field(_MIB, gt=0, description="Size of one event format.")
    max_format_fields: int = Field(1_024, gt=0, description="Fields of one event format.")
    max_print_fmt_nesting: int = Field(128, gt=0, description="Nesting in the print format of an event.")
    max_diagnostics_kept: int = Field(
        1_000, gt=0, description="Diagnostics kept with place and sample; all are counted."
    )


class Settings(ReadingLimits):
    """The whole table. Frozen: a running process does not change its mind."""

    model_config = SettingsConfigDict(env_prefix=_PREFIX, frozen=True, extra="ignore", populate_by_name=True)

    host: str = Field(
        "127.0.0.1", description="Address to listen on; other than loopback only with access_controlled."
    )
    access_controlled: bool = Field(
        default=False, description="Whether something in front decides who may reach the service."
    )
    port: int = Field(8000, ge=1, le=65_535, description="Port to listen on.")
    data: Path = Field(Path("data"), description="Folder of the uploaded files and the embedded database.")
    database_url: SecretStr = Field(
        SecretStr("postgresql:///jitterscope"),
        validation_alias="DATABASE_URL",
        description="The PostgreSQL (15 or newer) to use in place of the embedded one.",
    )
    sql_database_url: SecretStr | None = Field(
        None,
        description="The same database for people's SQL, as a role that reads only the documented views; "
        "the embedded one has such a role.",
    )
    base_url: str | None = Field(
        None, description="Address at which people reach the service; permalinks start with it."
    )
    allowed_hosts: list[str] = Field(
        default_factory=list,
        description="Names besides loopback ones and base_url that a request may be addressed to.",
    )
    frontend: Path = Field(shipped_folder("frontend/dist"), description="Folder of the built front end.")

    max_header_bytes: int = Field(16 * _KIB, ge=_KIB, description="Size of all headers of a request.")
    max_body_bytes: int = Field(
        256 * _KIB, gt=0, description="Size of the body of a request that is no upload."
    )
    max_json_depth: int = Field(32, ge=4, le=500, description="Nesting of a JSON body.")
    header_seconds: float = Field(
        10,
        gt=0,
        description="Time for the head of a request to arrive, and again for its body if it is no upload.",
    )
    idle_seconds: int = Field(
        30,
        gt=0,
        description="Time for which a connection without a request, or with an unread answer, is kept.",
    )
    max_connections: int = Field(
        512, gt=0, description="Connections of clients at once; the longest idle one makes room for another."
    )
    max_open_uploads: int = Field(16, gt=0, description="Uploads that are received at once.")
    upload_stall_seconds: float = Field(
        30, gt=0, description="Time without a byte after which an upload is ended."
    )
    min_upload_bytes_per_second: int = Field(
        _KIB,
        ge=0,
        description="Average rate below which an upload is ended, once it stalled that long in sum.",
    )
    max_unfinished_uploads: int = Field(
        256, gt=0, description="Resumable uploads that may be unfinished at once."
    )
    unfinished_upload_seconds: int = Field(
        86_400, gt=0, description="Time without a byte after which a resumable upload is given up."
    )
    max_questions: int = Field(
        24, gt=0, description="Questions about the inside of traces that are worked on at once."
    )
    max_streams: int = Field(
        2,
        gt=0,
        description="Exports and whole lists that are handed out at once, apart from those questions.",
    )
    kept_block_bytes: int = Field(
        256 * _MIB, ge=0, description="Blocks of traces that the web server keeps in memory."
    )
    kept_answer_bytes: int = Field(
        64 * _MIB, ge=0, description="Answers that the web server keeps in memory."
    )
    max_waiting_questions: int = Field(64, ge=0, description="Questions that wait for one of those to end.")
    question_wait_seconds: float = Field(10, gt=0, description="Longest such wait.")

    max_sql_statements: int = Field(
        2, gt=0, description="SQL statements of people that run at once, beside the questions."
    )
    max_waiting_sql_statements: int = Field(
        8, ge=0, description="SQL statements that wait for one of those to end."
    )
    sql_seconds: float = Field(10, gt=0, description="Time of one SQL statement.")
    max_sql_rows: int = Field(100_000, gt=0, description="Rows that a SQL statement may ask for.")
    max_sql_row_bytes: int = Field(256 * _KIB, gt=0, description="Size of one row of a SQL answer.")
    max_sql_bytes: int = Field(16 * _MIB, gt=0, description="Size of a SQL answer; the rest is cut.")
    sql_work_memory_bytes: int = Field(
        32 * _MIB, ge=_MIB, description="Memory of a sort or a hash table of a SQL statement."
    )
    sql_memory_bytes: int = Field(
        512 * _MIB,
        ge=64 * _MIB,
        description="Memory of the process that runs a SQL statement, in a PostgreSQL on this machine.",
    )

    max_upload_bytes: int = Field(8 * _GIB, gt=0, description="Size of an upload.")
    min_free_bytes: int = Field(_GIB, ge=0, description="Free disk below which uploads are refused.")
    min_free_share_pct: float = Field(
        5.0, ge=0, le=100, description="Free disk, in percent, kept where that is less than min_free_bytes."
    )
    worker_concurrency: int = Field(2, ge=1, le=64, description="Traces that one worker loads at a time.")
    worker_health_file: Path | None = Field(
        None, description="File that a worker touches while it lives, for `jitterscope worker-health`."
    )
    worker_silence_seconds: float = Field(
        20.0, gt=0, description="Seconds without a sign of life after which a worker counts as hung."
    )
    probe_seconds: float = Field(
        10.0,
        gt=0,
        description="Seconds in which web server and database answer `run`, which asks twice as often.",
    )
    missed_probes: int = Field(
        3,
        ge=1,
        description="Answers that a part may miss in a row before `run` kills it and starts it again.",
    )
    database_wait_seconds: int = Field(
        60, ge=0, description="Seconds that a worker and the migrations wait for the database at their start."
    )
    parser_memory_bytes: int = Field(
        1_536 * _MIB, gt=0, description="Address space of the process that reads a file."
    )
    parser_min_seconds: int = Field(
        60, gt=0, description="Seconds of CPU time that a parser gets for the smallest file."
    )
    parser_bytes_per_second: int = Field(
        4 * _MIB,
        gt=0,
        description="Bytes of a file, and of its expansion so far, that give a parser one more second.",
    )
    max_parser_crashes: int = Field(3, ge=1, description="Crashes of the parser before a trace is failed.")
    missing_file_attempts: int = Field(
        8, ge=1, le=100, description="Times that a stored file is looked for before its trace is failed."
    )
    tidy_max_share_pct: float = Field(
        5.0, gt=0, le=100, description="Share of the stored files, in percent, that one tidy may remove."
    )
    page_statement_seconds: float = Field(
        2.0, gt=0, description="Time of one database statement that a page needs."
    )
    max_wait_seconds: int = Field(60, ge=0, description="Longest wait= that a request may ask for.")

    @field_validator("database_url", "sql_database_url")
    @classmethod
    def _address_of_a_postgresql(cls, url: SecretStr | None) -> SecretStr | None:
        if url is None:
            return None
        try:
            drivername = make_url(url.get_secret_value()).drivername
        except (ArgumentError, ValueError):
            drivername = ""
        if drivername.partition("+")[0] not in ("postgres", "postgresql"):
            raise ValueError("must be an address such as postgresql://user:password@host/database")
        return url

    @field_validator("base_url")
    @classmethod
    def _without_trailing_slash(cls, url: str | None) -> str | None:
        return url.rstrip("/") if url else None

    @model_validator(mode="after")
    def _loopback_without_access_control(self) -> Self:
        if self.host not in _LOOPBACK and not self.access_controlled:
            raise ValueError(
                f"JITTERSCOPE_HOST is {self.host}, where everybody who reaches this machine could read and "
                "delete traces; listen on 127.0.0.1, or set JITTERSCOPE_ACCESS_CONTROLLED=true if something "
                "in front asks who they are"
            )
        return self

    @property
    def sqlalchemy_url(self) -> URL:
        """The database's address with the one driver that is used for everything."""
        return make_url(self.database_url.get_secret_value()).set(drivername="postgresql+psycopg")

    @property
    def conninfo(self) -> str:
        """The same address for psycopg itself, as `keyword=value` pairs."""
        return _conninfo(self.sqlalchemy_url)

    @property
    def sql_conninfo(self) -> str | None:
        """The address that people's SQL takes, if there is one."""
        if self.sql_database_url is None:
            return None
        url = make_url(self.sql_database_url.get_secret_value())
        return _conninfo(url.set(drivername="postgresql+psycopg"))

    @property
    def store_folder(self) -> Path:
        return self.data / "store"

    @property
    def limits_json(self) -> str:
        """The reading limits as the core takes them."""
        return self.model_dump_json(include=set(ReadingLimits.model_fields))


def read_settings() -> Settings:
    """The settings of this process.

    Raises: SettingsError.
    """
    variables = [variable for variable, _, _ in settings_rows()]
    for name in os.environ:
        upper = name.upper()
        if upper.startswith(_PREFIX) and not upper.startswith(_OF_TOOLS) and upper not in variables:
            # Without what all of them begin with, which would make any two alike.
            known = [variable.removeprefix(_PREFIX) for variable in variables]
            nearest = difflib.get_close_matches(upper.removeprefix(_PREFIX), known, n=1)
            meant = f"; did you mean {_PREFIX}{nearest[0]}?" if nearest else "; docs/settings.md lists all"
            raise SettingsError(f"there is no setting {name}{meant}")
    try:
        return Settings()
    except ValidationError as error:
        raise SettingsError("; ".join(_sentence(found) for found in error.errors())) from error
    except pydantic_settings.SettingsError as error:
        # Lists are read as JSON before anything else; the message names the field.
        field = next((name for name in Settings.model_fields if f'"{name}"' in str(error)), None)
        name = _PREFIX + field.upper() if field else "a setting"
        raise SettingsError(f'{name} is no JSON; write a list as ["one", "two"]') from error


def _conninfo(url: URL) -> str:
    """The address as SQLAlchemy reads it. Its URLs are not libpq's, which refuses a space in a password."""
    positional, named = url.get_dialect()().create_connect_args(url)
    return make_conninfo(*positional, **named)


def _sentence(found: ErrorDetails) -> str:
    """`JITTERSCOPE_PORT is 'x': Input should be a valid integer ...`"""
    message = found["msg"].removeprefix("Value error, ")
    if not found["loc"]:
        return message
    name = str(found["loc"][0])
    variable = name if name.isupper() else _PREFIX + name.upper()
    # An address holds a password.
    value = "" if variable.endswith("DATABASE_URL") else f" is {str(found['input'])[:200]!r}"
    return f"{variable}{value}: {message} (docs/settings.md)"


def free_bytes_kept(settings: Settings, total_bytes: int) -> int:
    """The free space, in bytes, that uploads must leave on a disk of `total_bytes`."""
    return min(settings.min_free_bytes, int(total_bytes * settings.min_free_share_pct / 100))


def settings_rows() -> list[tuple[str, str, str]]:
    """(environment variable, default, meaning) of every setting, the service's own before the core's."""
    fields = Settings.model_fields
    own = [name for name in fields if name not in ReadingLimits.model_fields]
    rows = []
    for name in [*own, *ReadingLimits.model_fields]:
        field = fields[name]
        variable = str(field.validation_alias or f"JITTERSCOPE_{name.upper()}")
        rows.append((variable, _default_text(name, field), field.description or ""))
    return rows


def _default_text(name: str, field: FieldInfo) -> str:
    default = field.get_default(call_default_factory=True)
    match default:
        case None | []:
            return ""
        case SecretStr():
            return "the embedded one"
        case Path() if default.is_absolute():
            return os.path.relpath(default, REPOSITORY)
        case int() if name.endswith("_bytes"):
            return f"{default} ({size_text(default)})"
        case _:
            return str(default)


def size_text(size_bytes: int) -> str:
    """The size in the largest unit that keeps it a whole number: `8 GiB`."""
    for unit_bytes, unit in ((_GIB, "GiB"), (_MIB, "MiB"), (_KIB, "KiB")):
        if size_bytes % unit_bytes == 0:
            return f"{size_bytes // unit_bytes} {unit}"
    return f"{size_bytes} bytes"
