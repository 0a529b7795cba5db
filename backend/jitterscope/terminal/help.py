"""What `jitterscope --help` prints, and what is said to a command that there is none of."""

from collections.abc import Iterator, Mapping

from jitterscope.terminal.command_line import COMMANDS, RECORDINGS, SERVICE
from jitterscope.terminal.text import plain

# Commands that others run, by Typer. Their own `--help` says more.
RUNNING: Mapping[str, str] = {
    "run": "Run all of it: database, web server and worker.",
    "api": "Run only the web server.",
    "worker": "Run one worker.",
    "worker-health": "Say whether a worker lives, by the exit status.",
    "migrate": "Bring the schema of the database up to date.",
    "backup": "Back up all recordings, beside the running service.",
    "restore": "Restore a backup into an empty service.",
    "verify": "Compare every stored file with what is on record.",
    "read-role": "Print SQL that restricts the role for queries.",
    "completion": "Print a script that completes commands in a shell.",
    "openapi": "Print the description of the REST interface.",
    "reference": "Print the table of settings, diagnostics or formats.",
}
_GROUPS: Mapping[str, Mapping[str, str]] = {
    "Recordings, without a service": RECORDINGS,
    "Traces of a service (--server or JITTERSCOPE_SERVER)": SERVICE,
    "Running a service": RUNNING,
}


def help_text() -> str:
    """All commands by what they are for."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield "Why was that one late?"
    yield ""
    yield "usage: jitterscope COMMAND [ARGUMENT ...]"
    width = max(map(len, (*COMMANDS, *RUNNING)))
    for title, commands in _GROUPS.items():
        yield from ("", title)
        yield from (f"  {name:<{width}}  {summary}" for name, summary in commands.items())
    yield ""
    yield "jitterscope COMMAND --help says what a command takes; jitterscope --version prints the version."
    yield "For a first answer: jitterscope why trace.dat"


def unknown_command(name: str) -> str:
    """One sentence, with the command that was probably meant."""
    import difflib  # noqa: PLC0415 (only mistakes need it)

    meant = difflib.get_close_matches(name, [*COMMANDS, *RUNNING], n=1)
    way_out = f"did you mean {meant[0]}?" if meant else "jitterscope --help lists all"
    return plain(f"jitterscope: there is no command {name!r}; {way_out}")
