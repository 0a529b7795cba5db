"""Pictures that commands write to standard output."""

import argparse
import sys
from typing import Protocol

from jitterscope.terminal.recording import Refusal


class Options(Protocol):
    """A parser, or a group of one."""

    def add_argument(self, name: str, /, *, action: str, help: str) -> argparse.Action: ...  # noqa: A002 (argparse's name)


def add_pictures(options: Options, what: str) -> None:
    """`--svg` and `--png`. `what` is drawn, as `the ruler of the worst case`."""
    options.add_argument("--svg", action="store_true", help=f"print {what} as a picture")
    options.add_argument("--png", action="store_true", help="write the same picture as PNG")


def picture_form(arguments: argparse.Namespace) -> str | None:
    """Which of the two was asked for: `svg`, `png` or none."""
    return "svg" if arguments.svg else "png" if arguments.png else None


def write_picture(svg: str, form: str) -> None:
    """Raises: Refusal, as `write_png` does."""
    if form == "svg":
        print(svg)
        return
    # It takes longer to load than small recordings to read.
    from jitterscope.reports.png import png  # noqa: PLC0415

    write_png(png(svg))


def write_png(picture: bytes) -> None:
    """Raises: Refusal if a terminal would get it."""
    if sys.stdout.isatty():
        raise Refusal("a PNG picture is no text for a terminal: write it to a file, as in --png >picture.png")
    sys.stdout.buffer.write(picture)
    sys.stdout.flush()
