"""The service's own processes: each is a `python -m jitterscope <command>` that dies with this one."""

import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from jitterscope.embedded.identity import Identity
from jitterscope.embedded.log_file import end_of_log, open_log
from jitterscope.run.signs_of_life import SignsOfLife, is_waiting_for_disk

# Longer than the API server gives open streams and the worker gives a job that is being stored.
STOP_SECONDS = 20.0


class ServiceProcess:
    """One command as a child process; a context manager that has stopped it at the end."""

    def __init__(
        self,
        command: str,
        environment: Mapping[str, str],
        log_folder: Path,
        *,
        name: str,
        signs: SignsOfLife,
    ) -> None:
        self.name = name
        self.log_path = log_folder / f"{command}.log"
        self._command = command
        self._environment = dict(environment)
        self._signs = signs
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it, also once more after it has ended."""
        self._signs.begin()
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
        if self._process is None or self.exit_code() is not None:
            return False
        if not self._signs.are_missing() or is_waiting_for_disk(self._process.pid):
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
