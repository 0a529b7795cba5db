"""The whole product as a user starts it, for attacks: upload, ask, kill one of its processes, start again."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import quote, urlencode

from processes import Processes, Role

Json = Any  # answers are JSON of many shapes

START_SECONDS = 120.0
STOP_SECONDS = 60.0
POLL_SECONDS = 0.02
FINAL = ("ready", "failed")


class ProductError(Exception):
    """The product did not do what any attack needs, such as starting."""


@dataclass(frozen=True)
class Answer:
    """Status, headers in lower case, and body of a response."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Json:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """Code of the problem document, or nothing where the body is none."""
        if self.headers.get("content-type") != "application/problem+json":
            return ""
        return str(self.json().get("code", ""))


class Product:
    """`jitterscope run` on a data folder of its own, with its own PostgreSQL; a context manager.

    `environment` is added to this process's, without `DATABASE_URL` and `JITTERSCOPE_*`. What the
    program prints goes to `output_path`.
    """

    def __init__(
        self, folder: Path, *, port: int | None = None, environment: Mapping[str, str] | None = None
    ) -> None:
        self.data = folder.resolve() / "data"
        self.output_path = folder / "run.out"
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = dict(environment or {})
        self._process: subprocess.Popen[bytes] | None = None
        self._processes = Processes(self.data)

    def start(self, seconds: float = START_SECONDS) -> float:
        """Seconds until the program said where it is.

        Raises: ProductError where it ends or says nothing.
        """
        if self._process is not None and self._process.poll() is None:
            raise ProductError("the product runs already")
        arguments = ["--no-samples", "--data", str(self.data), "--port", str(self.port)]
        began = time.monotonic()
        self.output_path.parent.mkdir(parents=True, exist_ok=True)
        with self.output_path.open("ab") as output:
            told_before = output.tell()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "jitterscope", "run", *arguments],
                env=clean_environment() | self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        while time.monotonic() - began < seconds:
            if b"Jitterscope is at" in self.output_path.read_bytes()[told_before:]:
                return time.monotonic() - began
            if self._process.poll() is not None:
                break
            time.sleep(POLL_SECONDS)
        told = self.output_path.read_bytes()[told_before:].decode(errors="replace")
        self.destroy()
        raise ProductError(f"the product did not start: {told.strip()}")

    def stop(self) -> int:
        """The exit code after SIGTERM; 0 is a clean stop.

        Raises: ProductError where it does not end, or leaves processes behind.
        """
        if self._process is None:
            return 0
        self._process.terminate()
        try:
            code = self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired as error:
            self.destroy()
            raise ProductError(f"the product did not stop within {STOP_SECONDS:.0f} s") from error
        self._process = None
        self.wait_until_gone()
        return code

    def restart(self) -> float:
        """Stops what still runs, however it ended, and starts on the same data folder."""
        if self._process is not None and self._process.poll() is None:
            self.stop()
        self.wait_until_gone()
        return self.start()

    def wait_until_gone(self, seconds: float = STOP_SECONDS) -> None:
        """Raises: ProductError where a process of this data folder outlives the one that started it."""
        deadline = time.monotonic() + seconds
        while left := self.processes():
            if time.monotonic() > deadline:
                self.destroy()
                raise ProductError(f"still running after {seconds:.0f} s: {left}")
            time.sleep(POLL_SECONDS)

    def destroy(self) -> None:
        """Ends every process of this data folder at once, as the loss of power would."""
        for _ in range(100):
            pids = self._processes.find()
            for pid in pids:
                _send(pid, signal.SIGKILL)
            if self._process is not None:
                self._process.poll()
            if not pids:
                break
            time.sleep(POLL_SECONDS)
        self._process = None

    def __enter__(self) -> "Product":
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.stop()
        else:
            self.destroy()

    def exit_code(self) -> int | None:
        """What `run` ended with; None while it runs or before it was started."""
        return None if self._process is None else self._process.poll()

    def processes(self) -> dict[int, str]:
        """Role of every process of this data folder by its pid; `other` for those without one."""
        return {pid: found.role or "other" for pid, found in self._processes.find().items()}

    def pids(self, role: Role) -> list[int]:
        """Processes with this role, the oldest first."""
        return [pid for pid, found in self._processes.find().items() if found.role == role]

    def kill(self, role: Role, number: signal.Signals = signal.SIGKILL, which: int = 0) -> int | None:
        """Pid of the process that got the signal; None where none has this role at the moment.

        `which` chooses one of several, counted round: any integer will do.
        """
        pids = self.pids(role)
        if not pids:
            return None
        pid = pids[which % len(pids)]
        return pid if _send(pid, number) else None

    def request(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        seconds: float = 60.0,
    ) -> Answer:
        """The answer, whatever its status.

        Raises: OSError or http.client.HTTPException where there is none.
        """
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        try:
            connection.request(method, path, body, dict(headers or {}))
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, found, response.read())
        finally:
            connection.close()

    def ask(self, path: str, seconds: float = 60.0) -> Json:
        """JSON of a GET.

        Raises: ProductError where the status is not 200.
        """
        answer = self.request("GET", path, seconds=seconds)
        if answer.status != 200:
            raise ProductError(f"GET {path}: {answer.status} {answer.body[:500]!r}")
        return answer.json()

    def upload(self, content: bytes | Path, filename: str = "trace.txt", **parameters: str) -> Answer:
        """The answer to an upload as a bare body; `parameters` are those of its query (`name`, `labels`)."""
        data = content if isinstance(content, bytes) else content.read_bytes()
        query = urlencode({"filename": filename, **parameters})
        return self.request(
            "POST", f"/api/v1/traces?{query}", data, {"Content-Type": "application/octet-stream"}
        )

    def wait(self, trace_id: str, seconds: float = 120.0) -> Json:
        """The trace once its state is final, as it is when the seconds are over."""
        deadline = time.monotonic() + seconds
        while True:
            wait = int(max(0, min(10, deadline - time.monotonic())))
            trace = self.ask(f"/api/v1/traces/{quote(trace_id)}?wait={wait}")
            if trace["status"] in FINAL or time.monotonic() >= deadline:
                return trace
            time.sleep(POLL_SECONDS)

    def load(self, content: bytes | Path, filename: str = "trace.txt", seconds: float = 120.0) -> Json:
        """The trace object of an upload that became ready.

        Raises: ProductError where it did not.
        """
        answer = self.upload(content, filename)
        if answer.status not in (200, 202):
            raise ProductError(f"the upload of {filename}: {answer.status} {answer.body[:500]!r}")
        trace = self.wait(answer.json()["id"], seconds)
        if trace["status"] != "ready":
            raise ProductError(f"{filename} is {trace['status']}: {trace['error']}")
        return trace

    def seconds_until_back(self, seconds: float = 60.0) -> float | None:
        """Seconds until the catalog is answered, asked again and again; None where that takes too long."""
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            try:
                if self.request("GET", "/api/v1/traces?limit=1", seconds=5).status == 200:
                    return time.monotonic() - began
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(POLL_SECONDS)
        return None


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def clean_environment() -> dict[str, str]:
    """This process's environment without what would lead to another service."""
    return {
        name: value
        for name, value in os.environ.items()
        if name != "DATABASE_URL" and not name.startswith("JITTERSCOPE_")
    }


def _send(pid: int, number: signal.Signals) -> bool:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True
