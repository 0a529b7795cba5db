"""`python -m jitterscope`, and the program `jitterscope`."""

import sys

from jitterscope.terminal.command_line import COMMANDS, run_command
from jitterscope.terminal.help import RUNNING, help_text, unknown_command


def main() -> None:
    """The program's entry point."""
    name, *arguments = sys.argv[1:] or [""]
    if name == "help" and arguments:
        name, *arguments = [arguments[0], "--help"]
    if name in COMMANDS:
        sys.exit(run_command(name, arguments))
    if name in {"", "help", "-h", "--help"}:
        print(help_text())
        # Without a command, nothing was done.
        sys.exit(0 if name else 2)
    if name == "--version":
        print(f"jitterscope {_version()}")
        sys.exit(0)
    if name not in RUNNING:
        print(unknown_command(name), file=sys.stderr)
        sys.exit(2)
    # Not before it is needed: with Typer, it takes longer to load than other commands take.
    from jitterscope.cli import main as run_others  # noqa: PLC0415

    sys.argv[1:] = [name, *arguments]
    run_others()


def _version() -> str:
    from importlib.metadata import version  # noqa: PLC0415 (as above)

    return version("jitterscope")


if __name__ == "__main__":
    main()
