"""Processes whose n-th system call of a kind fails, by `shim/fault.c` in front of their C library."""

import errno
import mmap
import os
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from jitterscope.run.processes import ServiceProcess
from jitterscope.run.signs_of_life import Pulse
from jitterscope.settings import Settings

_SOURCE = Path(__file__).with_name("shim") / "fault.c"
_CONTROL = struct.Struct("=6i")
_KINDS = ("read", "write", "fsync", "rename", "mmap", "open", "ftruncate", "recv", "send")
SHORT = "short"

# What the kernel may answer to each kind of call. `short` is half of the bytes.
FAULTS: dict[str, tuple[str, ...]] = {
    "read": ("EIO", "EINTR", SHORT),
    "write": ("EIO", "ENOSPC", "EINTR", SHORT),
    "fsync": ("EIO", "ENOSPC"),
    "rename": ("EIO", "ENOSPC"),
    "mmap": ("ENOMEM",),
    "open": ("EIO", "ENOSPC", "EMFILE", "EINTR"),
    "ftruncate": ("EIO", "ENOSPC", "EINTR"),
    "recv": ("ECONNRESET", "EINTR", SHORT),
    "send": ("ECONNRESET", "EINTR", SHORT),
}
# Not faults but the kernel's liberties, which cost nobody anything.
HARMLESS = ("EINTR", SHORT)
# What fails on the way to the client or the database may cost an answer.
SOCKETS = ("recv", "send")


@dataclass(frozen=True)
class Fault:
    """The n-th call of a kind, and how it ends."""

    kind: str
    n: int
    how: str

    def __str__(self) -> str:
        return f"{self.kind} {self.n} {self.how}"


def compile_shim(folder: Path) -> Path:
    """The shared library, built by the system's compiler."""
    library = folder / "fault.so"
    command = ["cc", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", str(library), str(_SOURCE)]
    subprocess.run(command, check=True)
    return library


class Control:
    """The attacker's hand on the calls of one process."""

    def __init__(self, library: Path, path: Path) -> None:
        path.write_bytes(bytes(_CONTROL.size))
        with path.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), _CONTROL.size)
        self.environment = {"LD_PRELOAD": str(library), "FAULT_CONTROL": str(path)}

    def arm(self, fault: Fault) -> None:
        error = 0 if fault.how == SHORT else getattr(errno, fault.how)
        self._shared[:] = _CONTROL.pack(0, _KINDS.index(fault.kind), fault.n, error, 0, 0)
        self._shared[:4] = struct.pack("=i", 1)

    def disarm(self) -> bool:
        """Whether the fault happened: there were that many calls."""
        self._shared[:4] = bytes(4)
        return bool(_CONTROL.unpack(self._shared[:])[5])

    def python(self, folder: Path) -> Path:
        """A Python like this one, under the shim, for a program that starts `sys.executable`."""
        script = folder / "python"
        settings = " ".join(f"{name}={value}" for name, value in self.environment.items())
        script.write_text(f'#!/bin/sh\nexec env {settings} {sys.executable} "$@"\n')
        script.chmod(0o755)
        return script


class Faulty:
    """One of the product's own commands under the shim, started again as `run` would do it."""

    def __init__(self, command: str, control: Control, environment: dict[str, str], folder: Path) -> None:
        self.start_count = 1
        pulse = folder / f"{command}.alive"
        health = {"JITTERSCOPE_WORKER_HEALTH_FILE": str(pulse)}
        self._process = ServiceProcess(
            command,
            os.environ | environment | health | control.environment,
            folder,
            name=command,
            signs=Pulse(pulse, Settings().worker_silence_seconds),
        )
        self._process.start()

    def keep_running(self) -> None:
        if self._process.end_if_hung() or self._process.exit_code() is not None:
            self.start_count += 1
            self._process.start()

    def restart(self) -> None:
        self._process.stop()
        self._process.start()

    def stop(self) -> None:
        self._process.stop()
