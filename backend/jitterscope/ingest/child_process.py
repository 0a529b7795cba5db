"""A process whose end the kernel reports to the event loop.

asyncio has processes, too, but a watcher that all loops share, and on Python 3.11 a thread for each
process: where no thread can be started for lack of memory, the end is never reported. It also looks
whether a process has ended before it kills it, and then reports exit status 255 for whatever that was.
"""

import asyncio
import os
import signal
import subprocess
from collections.abc import Collection, Mapping, Sequence
from typing import IO


class ChildProcess:
    """A process in its own group, without standard input and output; `stderr` is to be read."""

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
