"""The commands that run, keep or describe a service."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jitterscope.loading import loading_modules
from jitterscope.problems import AppError
from jitterscope.terminal.command_line import COMMANDS

if TYPE_CHECKING:
    from jitterscope.settings import Settings
    from jitterscope.terminal.completion import Commands

# Its help and its mistakes are plain text, as those of the other commands.
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command()
def run(
    *,
    host: Annotated[str | None, typer.Option(help="Address to listen on; JITTERSCOPE_HOST.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; JITTERSCOPE_PORT.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder for everything kept; JITTERSCOPE_DATA.")] = None,
    samples: Annotated[bool, typer.Option(help="Load the sample traces at the first start.")] = True,
) -> None:
    """Runs all of it: database, web server and worker, until Ctrl-C."""
    from jitterscope.embedded import EmbeddedPostgresError
    from jitterscope.run import run_service
    from jitterscope.settings import read_settings
    from jitterscope.store.folders import require_data_folder, require_front_end

    # By the environment, since the processes that this one starts read it, too.
    for name, value in (("HOST", host), ("PORT", port), ("DATA", data)):
        if value is not None:
            os.environ[f"JITTERSCOPE_{name}"] = str(value)
    settings = read_settings()
    require_data_folder(settings)
    require_front_end(settings)
    try:
        code = run_service(settings, with_samples=samples)
    except EmbeddedPostgresError as error:
        typer.echo(f"jitterscope: {error}", err=True)
        code = 1
    raise typer.Exit(code)


@app.command()
def api() -> None:
    """Runs only the web server, on the database of DATABASE_URL."""
    # numpy reads it when it is loaded. Questions run beside each other, and their matrices are small: threads
    # of BLAS that wait for one another take five times the processor time where processors are busy.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with loading_modules():
        import uvicorn

        from jitterscope.api.connections import allow_descriptors, server_config
        from jitterscope.main import create_app
        from jitterscope.settings import read_settings
        from jitterscope.store.folders import require_data_folder, require_front_end
        from jitterscope.store.migrate import refuse_newer_schema

    settings = read_settings()
    require_data_folder(settings)
    require_front_end(settings)
    refuse_newer_schema(settings)
    allow_descriptors(settings)
    config = server_config(
        create_app,
        settings,
        factory=True,
        host=settings.host,
        port=settings.port,
        log_level="warning",
        # Streams of progress are open for long; they end at shutdown.
        timeout_graceful_shutdown=5,
    )
    server = uvicorn.Server(config)
    server.run()
    if not server.started:
        raise typer.Exit(3)


@app.command()
def worker() -> None:
    """Runs one worker, on the database of DATABASE_URL; more of them share the work."""
    with loading_modules():
        from jitterscope.worker import main as run_worker

    run_worker()


@app.command()
def worker_health() -> None:
    """Exits with 0 where the worker of JITTERSCOPE_WORKER_HEALTH_FILE lives, else with 1."""
    from jitterscope.settings import read_settings
    from jitterscope.worker.health import is_alive

    settings = read_settings()
    if settings.worker_health_file is None:
        typer.echo("jitterscope: JITTERSCOPE_WORKER_HEALTH_FILE names no file to look at", err=True)
    raise typer.Exit(0 if is_alive(settings) else 1)


@app.command()
def migrate() -> None:
    """Brings the schema of DATABASE_URL up to date, once that database answers."""
    from jitterscope.logs import configure_logs
    from jitterscope.settings import read_settings
    from jitterscope.store.migrate import upgrade_to_head
    from jitterscope.store.wait import wait_for_database

    configure_logs()
    wait_for_database(read_settings())
    upgrade_to_head()


@app.command()
def backup(
    folder: Annotated[Path, typer.Argument(help="Folder of the backup, best on another disk.")],
    *,
    data: Annotated[Path | None, typer.Option(help="Folder of the service; JITTERSCOPE_DATA.")] = None,
    keep: Annotated[
        int | None, typer.Option(min=1, help="Backups to keep, this one included; without it, all.")
    ] = None,
) -> None:
    """Backs up all recordings with names and labels, beside the running service; copies only what is new."""
    from jitterscope.backup.make import make_backup

    _run_on_store(data, lambda settings: make_backup(settings, folder, typer.echo, keep))


@app.command()
def restore(
    folder: Annotated[Path, typer.Argument(help="Folder of the backup.")],
    *,
    data: Annotated[Path | None, typer.Option(help="Empty folder to restore into; JITTERSCOPE_DATA.")] = None,
    snapshot: Annotated[
        str | None, typer.Option(help="An earlier backup, as `verify` names it; without it, the newest.")
    ] = None,
) -> None:
    """Restores a backup into an empty service; the permalinks and what they show are the same."""
    from jitterscope.backup.restore import restore_backup

    _run_on_store(data, lambda settings: restore_backup(settings, folder, typer.echo, snapshot))


@app.command()
def verify(
    folder: Annotated[
        Path | None, typer.Argument(help="Folder of a backup; without it, the service's own store.")
    ] = None,
    *,
    data: Annotated[Path | None, typer.Option(help="Folder of the service; JITTERSCOPE_DATA.")] = None,
) -> None:
    """Hashes every file, compares it with what is on record, and exits with 1 where something is wrong."""
    from jitterscope.backup.verify import verify_backup, verify_store

    def check(settings: "Settings") -> bool:
        if folder is None:
            return verify_store(settings, typer.echo) == 0
        return verify_backup(settings, folder, typer.echo) == 0

    _run_on_store(data, check)


def _run_on_store(data: Path | None, work: Callable[["Settings"], bool]) -> None:
    """Exits with 0 if the work says that all is well, else with 1; what is in its way is one sentence."""
    import logging

    from jitterscope.backup import BackupError
    from jitterscope.embedded import EmbeddedPostgresError
    from jitterscope.logs import configure_logs
    from jitterscope.problems import AppError
    from jitterscope.settings import Settings

    # What each file went through is for the log of a service; here it is said in the end.
    configure_logs(least=logging.ERROR)
    if data is not None:
        os.environ["JITTERSCOPE_DATA"] = str(data)
    try:
        is_well = work(Settings())
    except (BackupError, EmbeddedPostgresError, AppError, OSError) as error:
        typer.echo(f"jitterscope: {error}", err=True)
        is_well = False
    raise typer.Exit(0 if is_well else 1)


@app.command()
def reference(name: str) -> None:
    """Prints the table of all settings, diagnostics or formats, as in docs/NAME.md."""
    from jitterscope.reference import TABLES

    if name not in TABLES:
        raise typer.BadParameter(f"there is no table of {name}; there is one of {', '.join(TABLES)}")
    typer.echo(TABLES[name]())


@app.command()
def read_role() -> None:
    """Prints SQL by which an administrator takes from jitterscope_read what reaches beyond a query."""
    from jitterscope.embedded.roles import forbid_functions

    typer.echo(f"{forbid_functions().strip()};")


@app.command()
def completion(shell: Annotated[str, typer.Argument(help="bash, zsh or fish.")]) -> None:
    """Prints a script by which a shell completes commands and options."""
    from jitterscope.terminal.completion import SHELLS

    if shell not in SHELLS:
        raise typer.BadParameter(f"there is a script for {', '.join(SHELLS)}")
    typer.echo(SHELLS[shell](_completed_commands()))


def _completed_commands() -> "Commands":
    from typer.core import TyperOption

    from jitterscope.terminal.command_line import parser_of
    from jitterscope.terminal.completion import SHELLS, Command, Option, options_of

    found = {name: Command(summary, options_of(parser_of(name))) for name, summary in COMMANDS.items()}
    words = {"completion": tuple(SHELLS)}
    for name, command in typer.main.get_group(app).commands.items():
        options = [
            Option([*one.opts, *one.secondary_opts], one.help or "", takes_value=not one.is_flag)
            for one in command.params
            if isinstance(one, TyperOption)
        ]
        found[name] = Command(command.help or "", options, words.get(name, ()))
    return found


@app.command()
def openapi(
    *,
    examples: Annotated[bool, typer.Option(help="with whole requests and answers")] = True,
) -> None:
    """Prints the description of the REST interface as JSON."""
    import json

    from fastapi import FastAPI

    from jitterscope.main import create_app

    app = create_app()
    typer.echo(json.dumps(app.openapi() if examples else FastAPI.openapi(app), indent=2))


def main() -> None:
    """The program's entry point."""
    from jitterscope.settings import SettingsError

    try:
        app(prog_name="jitterscope")
    except (AppError, SettingsError) as refusal:
        typer.echo(f"jitterscope: {refusal}", err=True)
        sys.exit(1)
