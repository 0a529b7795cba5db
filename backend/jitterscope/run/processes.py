"""The service's own processes: each is a `python -m jitterscope <command>` that dies with this one."""

import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from jitterscope.embedded.identity import Identity
from jitterscope.embedded.log_file import end_of_log, open_log

# Longer than the API server gives open streams and the worker gives a job that is being stored.
STOP_SECONDS = 20.0


class ServiceProcess:
    """One command as a child process; a context manager that has stopped it at the end.

    A process with a `pulse` touches that file all the time; if it stops doing so, it hangs.
    """

    def __init__(
        self,
        command: str,
        environment: Mapping[str, str],
        log_folder: Path,
        *,
        name: str,
        pulse: Path | None = None,
        silence_seconds: float = 0,
    ) -> None:
        self.name = name
        self.log_path = log_folder / f"{command}.log"
        self._command = command
        self._environment = dict(environment)
        self._pulse = pulse
        self._silence_seconds = silence_seconds
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it, also once more after it has ended."""
        if self._pulse is not None:
            self._pulse.unlink(missing_ok=True)
        with open_log(self.log_path) as log:
            self._process = subprocess.Popen(
                # Killed at once if this process is: the next start needs the port.
                Identity.SAME.command(
                    Path(sys.executable), "-m", "jitterscope", self._command, at_parents_death=signal.SIGKILL
                ),
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

    def end_if_hung(self) -> bool:
        """Whether it had to be killed, because it gave no sign of life for too long."""
        if self._process is None or self._pulse is None:
            return False
        try:
            silence_seconds = time.time() - self._pulse.stat().st_mtime
        except FileNotFoundError:
            # It has just been started, or waits for its database.
            return False
        if silence_seconds <= self._silence_seconds:
            return False
        self._process.kill()
        self._process.wait()
        return True

    def end_of_log(self) -> str:
        return end_of_log(self.log_path)

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
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
