"""The product's processes: which there are below a data folder, and what each of them is."""

import contextlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Role = Literal["run", "api", "worker", "child", "backend", "postmaster"]

# What a process is, by its command line: NUL between arguments, or the title that PostgreSQL writes over
# them, such as `postgres: postgres jitterscope [local] COPY`. Others (`postgres: checkpointer`) are no role.
_ROLES: tuple[tuple[Role, re.Pattern[bytes]], ...] = (
    ("child", re.compile(rb"\0jitterscope\.ingest\.child\0")),
    ("worker", re.compile(rb"\0jitterscope\0worker\0")),
    ("api", re.compile(rb"\0jitterscope\0api\0")),
    ("run", re.compile(rb"\0jitterscope\0run\0")),
    ("postmaster", re.compile(rb"/postgres\0-D\0")),
    ("backend", re.compile(rb"^postgres: \S+ \S+ \[local\]")),
)


@dataclass(frozen=True)
class Process:
    parent: int
    # When it began, in clock ticks: together with the pid, this names a process for good.
    started: int
    command: bytes
    is_in_folder: bool

    @property
    def role(self) -> Role | None:
        return next((role for role, pattern in _ROLES if pattern.search(self.command)), None)


class Processes:
    """Finds the processes of one data folder, those included whose parent has died."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: set[tuple[int, int]] = set()

    def find(self) -> dict[int, Process]:
        """By pid, the oldest first: what works in the folder, what that started, and its orphans."""
        everyone = _all_processes(self._folder)
        ours = {}
        # The parsing child knows no folder, so it is found by its parent, and after that by having been seen.
        for pid, process in sorted(everyone.items(), key=lambda item: (item[1].started, item[0])):
            is_known = (pid, process.started) in self._seen
            if is_known or process.is_in_folder or process.parent in ours:
                ours[pid] = process
        self._seen |= {(pid, process.started) for pid, process in ours.items()}
        return ours


def _all_processes(folder: Path) -> dict[int, Process]:
    """Every process but this one and zombies. Those in the folder were started for it, or work in it."""
    found = {}
    name = os.fsencode(folder)
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            # 4242 (post gres) S 4200 ... with the start as the 20th field after the name.
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            command = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        is_in_folder = _mentions(command, name)
        # What other users run does not show these; it is found by its parent if it is ours. PostgreSQL
        # writes its titles over arguments and environment, but works in its data folder.
        with contextlib.suppress(OSError):
            is_in_folder |= _mentions((entry / "environ").read_bytes(), name)
            is_in_folder |= folder in (entry / "cwd").readlink().parents
        if command and int(entry.name) != os.getpid():
            found[int(entry.name)] = Process(int(fields[1]), int(fields[19]), command, is_in_folder)
    return found


def _mentions(text: bytes, folder: bytes) -> bool:
    """Whether the folder, and none whose name only begins with it, is in the text."""
    return re.search(re.escape(folder) + rb"(?=[/\0]|$)", text) is not None
