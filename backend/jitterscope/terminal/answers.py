"""What commands that take several files have in common."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from jitterscope import _ftrace
from jitterscope.terminal.recording import Refusal
from jitterscope.terminal.text import plain

FILES = "recordings of any format, compressed or not; - is standard input"


class Failures:
    """Refusals of single files, which do not keep the other files from being answered."""

    def __init__(self) -> None:
        self.status = 0

    @contextmanager
    def told(self) -> Iterator[None]:
        """Around the work for one file: what refuses it is one line on standard error, and the status 1."""
        try:
            yield
        except BrokenPipeError:
            raise
        except (Refusal, _ftrace.RequestError, _ftrace.MissingError, RuntimeError, OSError) as error:
            print(f"jitterscope: {plain(str(error))}", file=sys.stderr)
            self.status = 1
