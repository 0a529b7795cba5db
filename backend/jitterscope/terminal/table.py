"""Columns of text."""

from collections.abc import Iterator, Sequence

from jitterscope.terminal.text import plain


def table(heads: Sequence[str] | None, rows: Sequence[Sequence[str]], *, left: int) -> Iterator[str]:
    """A line for heads, if any, and for each row; all but the first `left` columns are flush right."""
    lines = [[*map(plain, line)] for line in ([] if heads is None else [heads]) + [*rows]]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = [
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        yield f"  {'  '.join(cells)}".rstrip()
