"""The recipes of docs/cookbook.md do what they say: every block is run as printed."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from jitterscope.run.samples import SAMPLES
from tests.api.service import Service

COOKBOOK = Path(__file__).parents[3] / "docs" / "cookbook.md"
# Its formats are found by content, so that any name will do.
RECORDING = SAMPLES / "cyclictest-load-6.12-rt.txt.zst"
_BLOCK = re.compile(r"^```(\w+)(?: exit=(\d))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    language: str
    status: int
    text: str


def blocks() -> list[Block]:
    found = _BLOCK.findall(COOKBOOK.read_text("utf-8"))
    return [Block(language, int(status or 0), text) for language, status, text in found]


@pytest.fixture
def folder(service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "trace.dat").write_bytes(RECORDING.read_bytes())
    monkeypatch.setenv("JITTERSCOPE_SERVER", service.base_url)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(text: str, *, python: bool = False) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", text] if python else ["bash", "-euo", "pipefail", "-c", text]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_every_block_does_what_it_says(folder: Path) -> None:
    # What ends with an error ends its shell, so it is run apart; the others share one.
    shell = [block for block in blocks() if block.language == "sh"]
    failing = [block for block in shell if block.status]
    ended = run("\n".join(block.text for block in shell if not block.status))
    assert ended.returncode == 0, ended.stderr
    told = ended.stdout
    assert "Wakeup of hackbench-473" in told
    assert "p99" in told
    assert "wakeup," in told
    assert "sched_switch:" in told
    assert (folder / "diff.html").read_text("utf-8").startswith("<!doctype html>")
    assert "<testsuites" in (folder / "junit.xml").read_text("utf-8")
    assert json.loads((folder / "window.json").read_text("utf-8"))["traceEvents"]
    assert (folder / "window.perfetto-trace").stat().st_size > 1_000
    assert len(failing) == 1


def test_ten_lines_fail_a_build_with_a_link_that_explains_it(folder: Path, service: Service) -> None:
    [recipe] = [block for block in blocks() if block.status]
    assert len(recipe.text.splitlines()) <= 10
    ended = run(recipe.text)
    assert ended.returncode == recipe.status, ended.stderr
    *_, sentence, url = ended.stdout.splitlines()
    assert "max is 3.134 ms, above the limit of 50 µs" in ended.stdout
    url = url.strip()
    assert url.startswith(f"{service.base_url}/t/")
    assert sentence.strip().startswith("Wakeup of cyclictest-369 on CPU 0 took 3.134 ms: behind")
    trace, _, case = url.partition("/t/")[2].partition("/cases/")
    assert service.client.get(f"/api/v1/traces/{trace}/latencies/{case}").json()["duration_ns"] == 3_134_000
    assert (folder / "rules.toml").exists()


def test_the_python_blocks_run(folder: Path) -> None:
    [block] = [block for block in blocks() if block.language == "python"]
    ended = run(block.text, python=True)
    assert ended.returncode == 0, ended.stderr
    assert re.search(r"\d+ wakeups, the longest 3134\d+ ns\np99 \d+ ns", ended.stdout)
    assert folder.exists()
