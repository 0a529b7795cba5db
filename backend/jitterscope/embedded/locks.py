"""Two locks that keep one data folder to one supervisor and one server, whatever was killed."""

import contextlib
import fcntl
import os
import signal
import time
from pathlib import Path

from jitterscope.embedded.errors import EmbeddedPostgresError

SERVER_EXIT_SECONDS = 30.0
# The processes of a dead server notice its death when they next wait for something; some never do.
ORPHAN_SECONDS = 3.0


class FolderLocks:
    """Held by file descriptors, so the kernel releases them when the last holder dies.

    `supervisor.lock` belongs to this process alone: when it is taken, somebody else is running.
    `server.lock` is inherited by the server and all its children: after a supervisor was killed it stays
    taken until its server has really gone, and the next supervisor waits for that.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._supervisor: int | None = None
        self.server: int | None = None

    def acquire(self) -> None:
        """Raises: EmbeddedPostgresError if another supervisor runs, or an old server does not go away."""
        self._supervisor = _open(self._folder / "supervisor.lock")
        if not _try_lock(self._supervisor):
            self.release()
            raise EmbeddedPostgresError(f"{self._folder} is in use by another jitterscope; stop it first")
        self.server = _open(self._folder / "server.lock")
        began = time.monotonic()
        while not _try_lock(self.server):
            if time.monotonic() > began + ORPHAN_SECONDS:
                _kill_orphans(self._folder)
            if time.monotonic() > began + SERVER_EXIT_SECONDS:
                self.release()
                raise EmbeddedPostgresError(
                    f"the server of an earlier run still works in {self._folder} "
                    f"after {SERVER_EXIT_SECONDS:.0f} s; stop that postgres process"
                )
            time.sleep(0.02)

    def release(self) -> None:
        """Gives both up; a server that still runs keeps its own."""
        for descriptor in (self.server, self._supervisor):
            if descriptor is not None:
                os.close(descriptor)
        self.server = self._supervisor = None


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _kill_orphans(folder: Path) -> None:
    """Ends what is left of a server whose first process has died; one that still has it stops on its own.

    Every process of PostgreSQL works in the data folder, `<folder>/<major version>`.
    """
    working: dict[int, Path] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        # Another user's process, or one that has just ended, is none of ours.
        with contextlib.suppress(OSError):
            working[int(entry.name)] = (entry / "cwd").readlink()
    for pid, data in working.items():
        if data.parent == folder and working.get(_postmaster_pid(data)) != data:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _postmaster_pid(data: Path) -> int:
    """The server's first process as it wrote itself down; 0 where nothing is written."""
    try:
        return int((data / "postmaster.pid").read_text().split("\n", 1)[0])
    except (FileNotFoundError, ValueError):
        return 0
