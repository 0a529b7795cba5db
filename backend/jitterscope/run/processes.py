"""The service's own processes: each is a `python -m jitterscope <command>` that dies with this one."""

import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from jitterscope.embedded.identity import Identity

# Longer than the API server gives open streams and the worker gives a job that is being stored.
STOP_SECONDS = 20.0
# A program that ends at once, again and again, must not fill the machine with starts.
RESTART_PAUSE_SECONDS = 2.0
LARGEST_LOG_BYTES = 8 << 20


def rotate(log: Path) -> None:
    """Keeps the log of a long-lived installation to twice `LARGEST_LOG_BYTES`."""
    log.parent.mkdir(parents=True, exist_ok=True)
    if log.exists() and log.stat().st_size > LARGEST_LOG_BYTES:
        log.replace(log.with_suffix(".log.old"))


class ServiceProcess:
    """One command as a child process; a context manager that has stopped it at the end."""

    def __init__(self, command: str, environment: Mapping[str, str], log_folder: Path) -> None:
        self.log_path = log_folder / f"{command}.log"
        self._command = command
        self._environment = dict(environment)
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0

    def start(self) -> None:
        self._started = time.monotonic()
        with self.log_path.open("ab") as log:
            self._process = subprocess.Popen(
                Identity.SAME.command(Path(sys.executable), "-m", "jitterscope", self._command),
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # Ctrl-C is for the parent, which stops its children in order.
                start_new_session=True,
            )

    def exit_code(self) -> int | None:
        """None as long as it runs."""
        return None if self._process is None else self._process.poll()

    def restart_if_ended(self) -> int | None:
        """Starts it again if it has ended, and returns what it ended with."""
        code = self.exit_code()
        if code is not None and time.monotonic() - self._started > RESTART_PAUSE_SECONDS:
            self.start()
        return code

    def stop(self) -> None:
        """Asks it to end, waits, and ends it if it does not."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def __enter__(self) -> "ServiceProcess":
        rotate(self.log_path)
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
