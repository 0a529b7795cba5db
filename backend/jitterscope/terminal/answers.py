"""What commands that take several files have in common."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from jitterscope import _ftrace
from jitterscope.terminal.recording import Item, Recording, Refusal, read_recording
from jitterscope.terminal.text import plain

# Of warnings, as the core has it.
_LOSS = "data_loss"

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


def warn(recording: Recording) -> Recording:
    """Says on standard error what of a recording was lost, a line a kind of loss. Returns the recording."""
    for warning in recording.warnings:
        if warning["severity"] == _LOSS:
            said = f"{recording.name}: {sentence_of(warning)}"
            print(f"jitterscope: {plain(said)}", file=sys.stderr)
    return recording


def sentence_of(warning: Item) -> str:
    """`line 14 (12 in all): The kernel overwrote events before they were read.`"""
    line, count = warning["first_line"], warning["count"]
    place = f"byte {warning['first_byte_offset']:,}" if line is None else f"line {line:,}"
    return f"{place}{'' if count == 1 else f' ({count:,} in all)'}: {warning['sentence']}"


def answer_each(
    files: Sequence[str],
    lines_of: Callable[[Recording], Iterable[str]],
    *,
    is_apart: bool,
    warns: bool = True,
) -> int:
    """Prints the answer for each recording, separated by an empty line if asked for, and warns of losses.

    Returns the exit status.
    """
    failures = Failures()
    for number, file in enumerate(files):
        with failures.catch():
            recording = read_recording(file)
            if warns:
                warn(recording)
            lines = [*lines_of(recording)]
            print("\n".join([*([""] if is_apart and number > 0 else []), *lines]))
    return failures.status
