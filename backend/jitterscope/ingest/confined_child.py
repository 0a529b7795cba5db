"""The confined child as its parent sees it: started for one task, watched, and killed in the end."""

import asyncio
import contextlib
import os
import signal
import subprocess
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Self, TypeVar

from pydantic import TypeAdapter, ValidationError

from jitterscope.ingest.child_command import (
    ENVIRONMENT,
    PIPE_BYTES,
    child_command,
    exit_reason,
    output_pipe,
)

_STDERR_BYTES = 8 << 10
_LONGEST_ANSWER_BYTES = 64 << 10
# A child waits for its parent, too, so its wall clock gets a multiple of its CPU time.
_WALL_FACTOR = 4

_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class ChildLimits:
    memory_bytes: int
    cpu_seconds: int
    # Size of a file that it may write.
    file_bytes: int


@dataclass(frozen=True)
class ChildExit:
    """How the child ended. `reason` is fit to be shown, `stderr` only to be logged."""

    is_clean: bool
    is_out_of_time: bool
    reason: str
    stderr: str


class ChildFailed(Exception):
    """The child could not be started, or ended without an answer."""


class ConfinedChild:
    """A child that does one of the tasks of `child.py`; killed at the end of the block if it still runs.

    `descriptors` are files for it, by the names under which the task knows them; they stay the caller's. The
    child gets `output` besides, whose other end is `self.output`.
    """

    def __init__(
        self, task: str, arguments: Mapping[str, object], descriptors: Mapping[str, int], limits: ChildLimits
    ) -> None:
        self._spec = {"task": task, "parent_pid": os.getpid(), **vars(limits), **arguments}
        self._descriptors = descriptors
        self._limits = limits
        self._late_after_seconds: int | None = None

    async def __aenter__(self) -> Self:
        """Raises: ChildFailed if it cannot be started."""
        try:
            async with contextlib.AsyncExitStack() as stack:
                await self._start(stack)
                self._stack = stack.pop_all()
        except OSError as error:
            raise ChildFailed(f"it could not be started: {error}") from error
        most_seconds = self._limits.cpu_seconds
        loop = asyncio.get_running_loop()
        self._alarm = loop.call_later(most_seconds * _WALL_FACTOR, self.stop_late, most_seconds)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._alarm.cancel()
        await self._process.end()
        await self._stderr
        await self._stack.aclose()

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        self._process.kill()

    async def exit(self) -> ChildExit:
        """How the child ended, once it has."""
        code = await self._process.wait()
        stderr = await self._stderr
        if self._late_after_seconds is not None or code == -signal.SIGXCPU:
            seconds = self._late_after_seconds or self._limits.cpu_seconds
            reason = f"it was stopped after {seconds} s of CPU time"
            return ChildExit(is_clean=False, is_out_of_time=True, reason=reason, stderr=stderr)
        return ChildExit(is_clean=code == 0, is_out_of_time=False, reason=exit_reason(code), stderr=stderr)

    async def answer(self, expected: TypeAdapter[_Answer]) -> _Answer:
        """What a child with a short answer writes, which is JSON of the expected form.

        Raises: ChildFailed.
        """
        text = bytearray()
        while block := await self.output.read(_LONGEST_ANSWER_BYTES):
            text += block
            if len(text) > _LONGEST_ANSWER_BYTES:
                raise ChildFailed(f"an answer of more than {_LONGEST_ANSWER_BYTES} bytes")
        ended = await self.exit()
        if not ended.is_clean:
            raise ChildFailed(f"{ended.reason}: {ended.stderr}")
        try:
            return expected.validate_json(bytes(text))
        except ValidationError as error:
            raise ChildFailed("an answer that makes no sense") from error

    async def _start(self, stack: contextlib.AsyncExitStack) -> None:
        read_fd, write_fd = output_pipe()
        output = stack.enter_context(os.fdopen(read_fd, "rb", buffering=0))
        try:
            descriptors = dict(self._descriptors) | {"output": write_fd}
            command = child_command(self._spec, descriptors)
            self._process = ChildProcess(command, descriptors.values(), ENVIRONMENT)
        finally:
            os.close(write_fd)
        stack.push_async_callback(self._process.end)
        stack.enter_context(self._process.stderr)
        self.output = await _reader_of(output, stack)
        stderr = await _reader_of(self._process.stderr, stack)
        self._stderr = asyncio.create_task(_end_of(stderr))

    def stop_late(self, cpu_seconds: int) -> None:
        """End the child because it has used all of the CPU time that it may have."""
        self._late_after_seconds = cpu_seconds
        self.kill()


async def _reader_of(pipe: IO[bytes], stack: contextlib.AsyncExitStack) -> asyncio.StreamReader:
    reader = asyncio.StreamReader(limit=PIPE_BYTES)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), pipe
    )
    stack.callback(transport.close)
    return reader


async def _end_of(stderr: asyncio.StreamReader) -> str:
    """The end of what the child complained about."""
    kept = b""
    while chunk := await stderr.read(_STDERR_BYTES):
        kept = (kept + chunk)[-_STDERR_BYTES:]
    return kept.decode("utf-8", "backslashreplace")


class ChildProcess:
    """A process in its own group, without standard input and output; `stderr` is to be read.

    The kernel reports its end to the event loop. asyncio has processes, too, but a watcher that all loops
    share, and on Python 3.11 a thread for each process: where no thread can be started for lack of memory,
    the end is never reported. It also looks whether a process has ended before it kills it, and then reports
    exit status 255 for whatever that was.
    """

    def __init__(
        self, command: Sequence[str], descriptors: Collection[int], environment: Mapping[str, str]
    ) -> None:
        """Starts it; it inherits the descriptors. Raises: OSError."""
        self._process = subprocess.Popen(
            command,
            pass_fds=tuple(descriptors),
            env=environment,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            # Not in a session, where it would no longer give way as its parent does (`worker/niceness.py`).
            process_group=0,
        )
        try:
            self._descriptor = os.pidfd_open(self._process.pid)
        except OSError:
            with self._process:
                self._process.kill()
            raise
        self._loop = asyncio.get_running_loop()
        self._code: asyncio.Future[int] = self._loop.create_future()
        self._loop.add_reader(self._descriptor, self._note_end)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def stderr(self) -> IO[bytes]:
        if self._process.stderr is None:
            raise TypeError("it was started with a pipe")
        return self._process.stderr

    def kill(self) -> None:
        """Harmless where it has ended: what it ended with stays."""
        if not self._code.done():
            signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)

    async def wait(self) -> int:
        """What it ended with, as `subprocess` has it; any number may wait."""
        return await asyncio.shield(self._code)

    async def end(self) -> None:
        self.kill()
        await self.wait()

    def _note_end(self) -> None:
        self._loop.remove_reader(self._descriptor)
        os.close(self._descriptor)
        self._code.set_result(self._process.wait())
