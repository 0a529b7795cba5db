"""The running product, as the benchmark uses it: upload, wait, ask."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

import psycopg

from jitterscope.embedded import EmbeddedPostgres

STORED_BYTES = """
SELECT sum(pg_total_relation_size(c.oid))::bigint
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind = 'r' AND c.relname NOT LIKE 'procrastinate%'
"""


class Product:
    """A service on a database of its own; a context manager. All of its processes are below this one."""

    def __init__(self, folder: Path, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self._folder = folder
        self._port = port
        self._stack = ExitStack()

    def __enter__(self) -> "Product":
        postgres = self._stack.enter_context(EmbeddedPostgres(self._folder / "postgres"))
        self.database_url = postgres.ensure_database("bench")
        command = ["run", "--no-samples", "--port", str(self._port), "--data", str(self._folder)]
        process = subprocess.Popen(
            [sys.executable, "-m", "jitterscope", *command],
            env=os.environ | {"DATABASE_URL": self.database_url},
            stdout=subprocess.PIPE,
            text=True,
        )
        self._stack.callback(process.wait, 30)
        self._stack.callback(process.terminate)
        first_line = process.stdout.readline() if process.stdout else ""
        if "is at" not in first_line:
            raise RuntimeError(f"the product did not start: {first_line}")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def load(self, path: Path) -> dict[str, Any]:
        """The trace object, once the file is uploaded and ready."""
        with path.open("rb") as body:
            request = urllib.request.Request(  # noqa: S310 - http
                f"{self.url}/api/v1/traces?filename={path.name}",
                body,
                {"Content-Type": "application/octet-stream", "Content-Length": str(path.stat().st_size)},
                method="POST",
            )
            trace = self._answer(request)
        while trace["status"] not in ("ready", "failed"):
            trace = self.ask(f"/api/v1/traces/{trace['id']}?wait=30")
        if trace["status"] == "failed":
            raise RuntimeError(f"{path.name}: {trace['error']}")
        return trace

    def ask(self, path: str) -> dict[str, Any]:
        return self._answer(urllib.request.Request(f"{self.url}{path}"))  # noqa: S310 - http

    def time(self, path: str) -> float:
        """Seconds from sending the request to the last byte of the answer."""
        began = time.perf_counter()
        with urllib.request.urlopen(f"{self.url}{path}", timeout=60) as answer:  # noqa: S310 - http
            answer.read()
        return time.perf_counter() - began

    def stored_bytes(self) -> int:
        """Bytes on disk of all tables with their indexes, apart from the job queue."""
        with psycopg.connect(self.database_url) as connection:
            row = connection.execute(STORED_BYTES).fetchone()
        return int(row[0]) if row else 0

    def _answer(self, request: urllib.request.Request) -> dict[str, Any]:
        with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310 - http
            content: dict[str, Any] = json.load(answer)
        return content
