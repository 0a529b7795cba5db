"""Columns of text."""

import sys
from collections.abc import Iterator, Sequence

from jitterscope.terminal.text import plain, terminal_width


def table(heads: Sequence[str] | None, rows: Sequence[Sequence[str]], *, left: int) -> Iterator[str]:
    """A line for heads, if any, and for each row; all but the first `left` columns are flush right.

    Where the terminal is too narrow, columns move together, and a last column of text is cut.
    """
    lines = [[*map(plain, line)] for line in ([] if heads is None else [heads]) + [*rows]]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    width = terminal_width() or sys.maxsize
    is_narrow = width < sum(widths) + 2 * len(widths)
    before, between = ("", " ") if is_narrow else ("  ", "  ")
    for line in lines:
        cells = [
            cell.ljust(own) if column < left else cell.rjust(own)
            for column, (cell, own) in enumerate(zip(line, widths, strict=True))
        ]
        text = f"{before}{between.join(cells)}".rstrip()
        yield f"{text[: width - 1]}…" if left == len(widths) and len(text) > width else text
