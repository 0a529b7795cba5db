"""The Rust core. Every function releases the GIL; times are integer nanoseconds from trace start."""

from typing import Literal, final

# --- Load path -------------------------------------------------------------------------------

class UnsupportedError(ValueError):
    """An upload that is not read. `place` holds `line` (from 1, or None) and `byte_offset` (from 0)."""

    code: str
    sentence: str
    remedy: str
    place: dict[str, int | None]

def sniff(head: bytes, size_bytes: int) -> str:
    """Name of the format of a file that begins with `head` (at least its first MiB, or all of it).

    Raises: UnsupportedError.
    """

def import_trace(
    input_fd: int, scratch_fd: int, output_fd: int, trace_key: int, limits_json: str, is_whole: bool
) -> None:
    """Read the file and write its frames. The last one is the summary, or the error.

    Not whole, it writes no more than what lists, counts and explains latencies and events.
    """

def count_own_rows(trace_key: int, table: str, frame: bytes, start: int) -> int:
    """The number of rows in the COPY stream that begins at `start`, all of them of this trace.

    Raises: BlockError if a row has another key, the stream is damaged, or no parser fills the table.
    """

def confine(parent_pid: int) -> list[str]:
    """Give up, for good, what reading a file does not need. Returns the walls that the kernel put up:
    `own network`, `empty root`, `Landlock ABI <number>`, `seccomp`.

    No file can be opened afterwards, no process started or signalled, no memory made executable. The
    process dies with its parent.

    Raises: OSError if the parent is not `parent_pid` any more, or the kernel refuses what all kernels have.
    """

NUMBER_FLAG: int
STARTING_FLAG: int
"""The flag of samples whose value is a bare number: no time, and no interval."""

def catalog() -> str:
    """JSON object: `formats`, `diagnostics`, `analyses`, `slice_kinds`, `latencies`."""

# --- Read path -------------------------------------------------------------------------------

class RequestError(ValueError):
    """A parameter that cannot be used: 422.

    `parameter` is its public name, `code` is stable (`bad_parameter`, `bad_filter`,
    `window_too_large`), `column` counts from 1 and is given for mistakes in `q`.
    """

    parameter: str
    code: str
    detail: str
    column: int | None

class MissingError(LookupError):
    """The trace has no such call or case: 404. The message is a sentence that says which."""

class BlockError(RuntimeError):
    """Stored bytes that are not what their table promises; the message names table, column, byte."""

def tables() -> str:
    """JSON object: table name -> `columns` to COPY, in order, and the primary `key`."""

@final
class Turn:
    """What a question has to say: what it needs, or its answer."""

    @property
    def needs(self) -> str:
        """JSON list of what to fetch, each `{"trace", "table", "where", "is_for_samples"}`.

        A part is a complete binary COPY TO stream of the rows for which all of `where` holds, in the order
        of the primary key; `b""` stands for no rows. Three tables are no tables: `trace` is JSON of what is
        known of the trace, `isolation` the CPUs that are called isolated, `kept` what was kept under a name.
        """
    @property
    def ahead(self) -> str:
        """JSON list of what will be needed next, unless what is fetched now is enough."""
    @property
    def keeps(self) -> list[tuple[str, str, bytes]]:
        """Bytes worth keeping for later questions, by trace and name."""
    @property
    def written(self) -> bytes:
        """The next bytes of an answer that is handed out as it is made; nothing else may be needed then."""
    @property
    def answer(self) -> bytes | None:
        """JSON, when the question is over; the rest of what is `written`, if anything was."""

@final
class Question:
    """A question about stored traces on its way to its answer: `registry.rs` of the core has all of them."""

    def __init__(self, name: str, request: str) -> None:
        """`request` is the JSON object of an endpoint's parameters under their public names, as they came in
        (strings) or already typed; absent and null are the same. `trace` is the id of the trace.

        Raises: RequestError.
        """

    def go_on(self, parts: list[bytes], is_late: bool) -> Turn:
        """Hands over what was needed, in that order, and works on; nothing at first.

        `is_late` asks for part of an answer where that is possible.
        Raises: RequestError, MissingError, BlockError, RuntimeError.
        """

# --- Without a database ----------------------------------------------------------------------

class FramesError(RuntimeError):
    """Output of a parser that no sound one writes; the message says what is wrong with it."""

@final
class Recordings:
    """Recordings whose rows are held in scratch files, by the ids under which questions know them."""

    def receive(
        self, trace_id: str, name: str, trace_key: int, scratch_fd: int, frames_fd: int
    ) -> tuple[Literal["whole", "refused", "nothing"], bytes]:
        """Take in the frames of a parser that was started for `trace_key`, to the end of its pipe.

        JSON of what is known of a `whole` recording, whose rows are in the scratch file from now on; or of
        the error for which the file is `refused`; or null where the parser said neither.
        Raises: FramesError, KeyboardInterrupt.
        """

    def ask(self, question: str, request: str) -> bytes:
        """JSON that answers a question as `Question` has it.

        Raises: RequestError, MissingError, BlockError, RuntimeError, OSError of the scratch file.
        """

    def write(self, question: str, request: str, output_fd: int) -> None:
        """Write the answer to a question to an open file as it is made.

        Raises: RequestError, MissingError, BlockError, RuntimeError, OSError of a file, KeyboardInterrupt.
        """

# --- On the way out --------------------------------------------------------------------------

@final
class ZstdCompressor:
    """One frame of Zstandard, made as its content comes."""

    def __init__(self, level: int) -> None: ...
    def compress(self, piece: bytes) -> bytes:
        """What is ready of the frame, perhaps nothing yet. Raises: ValueError behind the end."""

    def flush(self) -> bytes:
        """The end of the frame. Raises: ValueError behind the end."""
