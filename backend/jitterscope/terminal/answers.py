"""What commands that take several files have in common."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from jitterscope import _ftrace
from jitterscope.terminal.recording import Recording, Refusal, read_recording
from jitterscope.terminal.text import plain

FILES = "recordings of any format, compressed or not; - is standard input"


class Failures:
    """Refusals of single files, which do not keep the other files from being answered.

    `refused` is the exit status of a command that met any.
    """

    def __init__(self, refused: int = 1) -> None:
        self.status = 0
        self._refused = refused

    @contextmanager
    def catch(self) -> Iterator[None]:
        """Around the work for one file: what refuses it is a line on standard error, and the exit status."""
        try:
            yield
        except BrokenPipeError:
            raise
        except (Refusal, _ftrace.RequestError, _ftrace.MissingError, RuntimeError, OSError) as error:
            print(f"jitterscope: {plain(str(error))}", file=sys.stderr)
            self.status = self._refused


def answer_each(
    files: Sequence[str], lines_of: Callable[[Recording], Iterable[str]], *, is_apart: bool
) -> int:
    """Prints the answer for each recording, separated by an empty line if asked for.

    Returns the exit status.
    """
    failures = Failures()
    for number, file in enumerate(files):
        with failures.catch():
            lines = [*lines_of(read_recording(file))]
            print("\n".join([*([""] if is_apart and number > 0 else []), *lines]))
    return failures.status
