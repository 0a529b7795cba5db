"""Recordings that a confined child reads, and that are asked as the service asks its database."""

import json
import os
import stat
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from typing import Any

from jitterscope import _ftrace
from jitterscope.ingest.child_command import ENVIRONMENT, child_command, exit_reason, output_pipe

Item = Mapping[str, Any]  # JSON as REST has it
Parameters = Mapping[str, str | int]

_KEY = 1
_MEMORY_BYTES = 2 << 30
_CPU_SECONDS = 3_600
_COPY_BYTES = 1 << 20
# The module `signal` takes long to load for its number.
_SIGKILL = 9


class Refusal(Exception):
    """Why a command has no answer: a sentence that names the thing and the way out."""


class UnreadableFile(Refusal):
    """A file that cannot be opened, or is no recording."""


class Recording:
    """A recording whose rows are all there. `known` is what the core says of it as a whole."""

    def __init__(self, held: _ftrace.Recordings, trace_id: str, known: Item) -> None:
        self._held = held
        self.id = trace_id
        self.known = known

    @property
    def name(self) -> str:
        name: str = self.known["name"]
        return name

    def ask(self, question: str, parameters: Parameters) -> dict[str, Any]:  # Any: JSON
        """The answer that REST would give, without links.

        Raises: RequestError, MissingError.
        """
        answer: dict[str, Any] = json.loads(self._held.ask(question, self._request(parameters)))
        return answer

    def write(self, question: str, parameters: Parameters, output: int) -> None:
        """Writes an answer that REST would send as a file, as it is made.

        Raises: RequestError, MissingError, OSError.
        """
        self._held.write(question, self._request(parameters), output)

    @cached_property
    def warnings(self) -> Sequence[Item]:
        """What was wrong with the file, or odd in it, as `warnings` of REST's `GET /traces/{id}`."""
        items: list[Item] = self.ask("warnings", {})["items"]
        return items

    def _request(self, parameters: Parameters) -> str:
        return json.dumps({**parameters, "trace": self.id})


class Recordings:
    """The recordings of one command, which a question may compare."""

    def __init__(self) -> None:
        self._held = _ftrace.Recordings()
        self._read: dict[str, Recording] = {}

    def read(self, path: str, *, is_whole: bool = False) -> Recording:
        """The recording in a file, or of `-` the one that comes through standard input.

        With `is_whole`, what is summed up of it for pages is there, too.

        Raises: UnreadableFile.
        """
        trace_id = f"trace{len(self._read) + 1}"
        name = "standard input" if path == "-" else os.path.basename(path)  # noqa: PTH119 (pathlib takes longer to load than small recordings to read)
        with ExitStack() as open_files:
            file = _open(path, open_files)
            scratch, rows = (_scratch_file(open_files) for _ in range(2))
            pid, frames = _start_child({"input": file, "scratch": scratch}, open_files, is_whole=is_whole)
            try:
                end, answer = self._held.receive(trace_id, name, _KEY, rows, frames)
            except BaseException as error:
                os.kill(pid, _SIGKILL)
                _exit_code(pid)
                if isinstance(error, _ftrace.FramesError):
                    raise UnreadableFile(f"{name}: the parser could not finish this file: {error}") from error
                raise
            code = _exit_code(pid)
        known = json.loads(answer)
        if end == "refused":
            raise UnreadableFile(f"{name}: {known['sentence']} {_remedy(known['code'])}".rstrip())
        if end == "nothing" or code != 0:
            reason = exit_reason(code)
            raise UnreadableFile(f"{name}: the parser could not finish this file: {reason}")
        return self._read.setdefault(trace_id, Recording(self._held, trace_id, known))

    def named(self, trace_id: str) -> Recording:
        """The one that answers call by this id."""
        return self._read[trace_id]


def _remedy(code: str) -> str:
    """What a person can do about a refusal."""
    known: dict[str, Any] = json.loads(_ftrace.catalog())  # Any: JSON
    return next((one["remedy"] for one in known["diagnostics"] if one["code"] == code), "")


def read_recording(path: str, *, is_whole: bool = False) -> Recording:
    """As `Recordings.read`, for a recording that is compared with none."""
    return Recordings().read(path, is_whole=is_whole)


def _open(path: str, open_files: ExitStack) -> int:
    if path != "-":
        try:
            file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise UnreadableFile(f"{path}: {error.strerror}") from error
        open_files.callback(os.close, file)
        if stat.S_ISDIR(os.fstat(file).st_mode):
            raise UnreadableFile(f"{path}: this is a folder; name the files in it")
        return file
    file = _scratch_file(open_files)
    while block := memoryview(sys.stdin.buffer.read(_COPY_BYTES)):
        while block:
            block = block[os.write(file, block) :]
    return file


def _scratch_file(open_files: ExitStack) -> int:
    """An empty file without a name, on a disk: what is in /tmp may be in memory."""
    try:
        file = os.open(_scratch_folder(), os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o600)
        open_files.callback(os.close, file)
    except OSError:
        # Not every file system has nameless files.
        import tempfile  # noqa: PLC0415 (which takes longer to load than all of this)

        file = open_files.enter_context(tempfile.TemporaryFile()).fileno()  # noqa: SIM115 (the stack closes it)
    return file


def _scratch_folder() -> str:
    return os.environ.get("TMPDIR", "/var/tmp")  # noqa: S108 (only for files without names)


def _start_child(files: Mapping[str, int], open_files: ExitStack, *, is_whole: bool) -> tuple[int, int]:
    """The child's number, and the pipe that its frames come through."""
    frames, output = output_pipe()
    open_files.callback(os.close, frames)
    descriptors = {**files, "output": output}
    free = os.statvfs(_scratch_folder())
    spec = {
        "task": "import",
        "extent": "whole" if is_whole else "cases",
        "trace_key": _KEY,
        "limits_json": _limits(),
        "parent_pid": os.getpid(),
        "memory_bytes": _MEMORY_BYTES,
        "cpu_seconds": _CPU_SECONDS,
        "file_bytes": free.f_bavail * free.f_frsize,
    }
    try:
        for descriptor in descriptors.values():
            os.set_inheritable(descriptor, True)  # noqa: FBT003 (it takes no keywords)
        nothing = [(os.POSIX_SPAWN_OPEN, one, os.devnull, os.O_RDWR, 0) for one in range(3)]
        command = child_command(spec, descriptors)
        pid = os.posix_spawn(command[0], command, ENVIRONMENT, file_actions=nothing, setsid=True)
    except OSError as error:
        raise UnreadableFile(f"the parser could not be started: {error}") from error
    finally:
        os.close(output)
    return pid, frames


def _exit_code(pid: int) -> int:
    """What the child ended with, once it has, as `subprocess` has it."""
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


def _limits() -> str:
    """JSON of the limits that the environment sets, by the names of the settings; the core has the others."""
    prefix = "JITTERSCOPE_"
    set_here = {
        name.removeprefix(prefix).lower(): int(value)
        for name, value in os.environ.items()
        if name.startswith(prefix) and value.isdecimal()
    }
    return json.dumps(set_here)
