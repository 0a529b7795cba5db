"""The audit finds what OSV knows, and never passes for one where OSV did not answer."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[3] / "scripts" / "audit.py"


class Osv(ThreadingHTTPServer):
    """Knows one vulnerability of each package in `vulnerable`, as OSV answers."""

    vulnerable: frozenset[tuple[str, str]] = frozenset()
    question_count = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Answer(BaseHTTPRequestHandler):
    server: Osv

    def do_POST(self) -> None:
        queries = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
        self.server.question_count += len(queries)
        packages = [(query["package"]["ecosystem"], query["package"]["name"]) for query in queries]
        results = [
            {"vulns": [{"id": "X-1"}]} if found in self.server.vulnerable else {} for found in packages
        ]
        body = json.dumps({"results": results}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def osv() -> Iterator[Osv]:
    with Osv(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def audit(address: str, *options: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, SCRIPT, *options],
        capture_output=True,
        check=False,
        text=True,
        env=os.environ | {"OSV_ADDRESS": address},
    )
    return done.returncode, done.stdout


def test_asks_for_every_package_and_finds_nothing(osv: Osv) -> None:
    code, said = audit(osv.address)
    assert code == 0
    assert osv.question_count > 300
    assert (
        said
        == f"audited {osv.question_count} locked packages: 0 known vulnerabilities that are not accepted\n"
    )


@pytest.mark.parametrize(
    "package", [("crates.io", "pyo3"), ("PyPI", "sqlalchemy"), ("npm", "react"), ("npm", "@playwright/test")]
)
def test_a_vulnerability_of_any_lock_file_is_refused(osv: Osv, package: tuple[str, str]) -> None:
    osv.vulnerable = frozenset({package})
    code, said = audit(osv.address)
    assert code == 1
    assert f"{package[0]}: {package[1]} " in said
    assert "has X-1: update it, or accept it with a reason" in said


def test_no_answer_is_said_and_is_no_pass_where_one_must_know() -> None:
    nobody = "http://127.0.0.1:9"
    code, said = audit(nobody)
    assert (code, said.startswith("NOT AUDITED: ")) == (0, True)
    assert audit(nobody, "--strict")[0] == 3
