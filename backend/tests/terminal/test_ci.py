"""The files for build servers do what they say: their shell parts are run as the servers run them."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
import yaml

from jitterscope.run.samples import SAMPLES

CI = Path(__file__).parents[3] / "docs" / "ci"
LOADED = SAMPLES / "cyclictest-load-6.12-rt.txt.zst"
KEPT, BROKEN, UNKNOWN = (
    f'[[check]]\nkind = "{kind}"\nstat = "max"\nop = "<="\nvalue = "{value}"\n'
    for kind, value in (("wakeup", "1s"), ("wakeup", "50us"), ("hwlat", "1s"))
)


def read(name: str) -> dict[str, Any]:  # Any: as YAML has it
    found: dict[str, Any] = yaml.safe_load((CI / name).read_text("utf-8"))
    return found


def run(lines: list[str], folder: Path, rules: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """The lines in a shell that stops at the first failure, in a folder with a recording and rules."""
    (folder / "trace one.dat").write_bytes(LOADED.read_bytes())
    (folder / "rules.toml").write_text(rules, "utf-8")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    given = {"PATH": path, "RULES": "rules.toml", "RECORDINGS": "*.dat", **variables}
    script = "\n".join(lines)
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env=given,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("rules", "status", "word"), [(KEPT, 0, "::notice"), (BROKEN, 1, "::error"), (UNKNOWN, 2, "::warning")]
)
def test_the_github_action_annotates_and_ends_as_the_checks(
    rules: str, status: int, word: str, tmp_path: Path
) -> None:
    action = read("action.yml")
    assert {*action["inputs"]} == {"wheel", "rules", "recordings"}
    [check] = [step for step in action["runs"]["steps"] if step["name"] == "Check"]
    summary = tmp_path / "summary.md"
    ended = run([check["run"]], tmp_path, rules, GITHUB_STEP_SUMMARY=str(summary))
    assert ended.returncode == status, ended.stderr
    assert [line.split()[0] for line in ended.stdout.splitlines()] == [word]
    assert "| Check | Result |" in summary.read_text("utf-8")


@pytest.mark.parametrize(("rules", "status"), [(KEPT, 0), (BROKEN, 1), (UNKNOWN, 2)])
def test_the_gitlab_job_leaves_its_report_whatever_comes_of_it(
    rules: str, status: int, tmp_path: Path
) -> None:
    job = read("gitlab.yml")[".jitterscope"]
    ended = run(job["script"], tmp_path, rules)
    assert ended.returncode == status, ended.stderr
    suites = fromstring((tmp_path / job["artifacts"]["reports"]["junit"]).read_text("utf-8"))  # noqa: S314 (ours)
    assert suites.get("tests") == "1"
    assert job["artifacts"]["when"] == "always"


@pytest.mark.parametrize(("rules", "result"), [(KEPT, "pass"), (BROKEN, "fail"), (UNKNOWN, "unknown")])
def test_the_lava_definition_signals_every_check(rules: str, result: str, tmp_path: Path) -> None:
    ended = run(read("lava.yaml")["run"]["steps"], tmp_path, rules)
    assert ended.returncode == 0, ended.stderr
    [signal] = ended.stdout.splitlines()
    assert f" RESULT={result}" in signal


def test_a_lava_test_that_could_not_run_does_not_pass(tmp_path: Path) -> None:
    steps = [
        step.replace("jitterscope check", "no-such-program") for step in read("lava.yaml")["run"]["steps"]
    ]
    assert run(steps, tmp_path, KEPT).returncode != 0
