"""`python -m jitterscope`, and the program `jitterscope`."""

import sys

from jitterscope.terminal.command_line import COMMANDS, run_command


def main() -> None:
    """The program's entry point."""
    if len(sys.argv) > 1 and sys.argv[1] in COMMANDS:
        sys.exit(run_command(sys.argv[1], sys.argv[2:]))
    # Not before it is needed: with Typer, it takes longer to load than those commands take.
    from jitterscope.cli import main as run_others  # noqa: PLC0415

    run_others()


if __name__ == "__main__":
    main()
