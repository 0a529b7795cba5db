"""`jitterscope check` finds what the checks of REST find, and says it with its exit status."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from jitterscope.run.samples import SAMPLES, Sample, list_samples
from jitterscope.schemas.checks import Check
from jitterscope.terminal.check import FAILED, PASSED, UNDECIDABLE, check_recording
from jitterscope.terminal.command_line import run_command
from jitterscope.terminal.recording import read_recording
from jitterscope.terminal.rules import read_rules
from tests.api.service import Service
from tests.terminal.conftest import without_links

LOADED = str(SAMPLES / "cyclictest-load-6.12-rt.txt.zst")
IRQSOFF = str(SAMPLES / "irqsoff-6.12.txt")

CHECKS = [
    {"kind": kind, "stat": stat, "op": op, "value": value, "where": where}
    for kind in ("wakeup", "cyclic", "irq", "timerlat")
    for stat, op, value, where in (
        ("max", "<=", "50us", {}),
        ("p99", "<", "20ms", {"cpu": 1}),
        ("count", ">=", 3, {}),
    )
]


@pytest.mark.parametrize("sample", [*list_samples()], ids=lambda sample: sample.path.name)
def test_every_sample_is_checked_as_by_rest(sample: Sample, service: Service) -> None:
    trace_id = service.ready(sample.path.read_bytes(), sample.path.name)
    rest = service.client.post(f"/api/v1/traces/{trace_id}/checks", json=CHECKS).json()
    checks = [Check.model_validate(check).model_dump() for check in CHECKS]
    report = check_recording(read_recording(str(sample.path)), checks)
    assert without_links(report) == without_links(rest)


def print_checks(rules: Path, files: list[str], *options: str) -> int:
    return run_command("check", [*options, str(rules), *files])


def rules(folder: Path, *checks: str) -> Path:
    path = folder / "rules.toml"
    path.write_text("\n".join(f"[[check]]\n{check}\n" for check in checks), "utf-8")
    return path


KEPT = 'kind = "wakeup"\nstat = "max"\nop = "<="\nvalue = "1s"'
BROKEN = 'kind = "wakeup"\nstat = "max"\nop = "<="\nvalue = "50us"\nwhere = { comm = "cyclictest" }'


@pytest.mark.parametrize(
    ("checks", "files", "status"),
    [
        ([KEPT], [LOADED], PASSED),
        ([KEPT, BROKEN], [LOADED], FAILED),
        ([KEPT], [IRQSOFF], UNDECIDABLE),
        ([KEPT], [LOADED, IRQSOFF], UNDECIDABLE),
        ([BROKEN], [IRQSOFF, LOADED], FAILED),
        ([KEPT], [LOADED, "/there/is/none"], UNDECIDABLE),
    ],
)
def test_the_status_is_that_of_the_worst(
    checks: list[str], files: list[str], status: int, tmp_path: Path
) -> None:
    assert print_checks(rules(tmp_path, *checks), files) == status


def test_a_failure_names_its_worst_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    print_checks(rules(tmp_path, BROKEN), [LOADED])
    told = capsys.readouterr().out
    assert "FAILED       wakeup comm=cyclictest max <= 50us" in told
    assert "Wakeup of cyclictest-369 on CPU 0 took 3.134 ms: behind 3 hackbench tasks" in told
    print_checks(rules(tmp_path, BROKEN), [LOADED], "--json")
    assert json.loads(capsys.readouterr().out)["results"][0]["outcome"] == "failed"


def test_a_broken_limit_is_linked_to_where_the_service_explains_it(
    tmp_path: Path, service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--upload", "--label", "job=nightly", "--server", service.base_url]
    assert print_checks(rules(tmp_path, KEPT, BROKEN), [LOADED, IRQSOFF], *options, "--json") == FAILED
    found = json.loads(capsys.readouterr().out.partition("\n}\n")[0] + "}")
    kept, broken = found["results"]
    assert not kept["worst"]["url"].startswith(service.base_url)
    page = broken["worst"]["url"].removeprefix(f"{service.base_url}/t/")
    trace_id, _, case = page.partition("/cases/")
    assert service.client.get(f"/api/v1/traces/{trace_id}").json()["labels"]["job"] == "nightly"
    answer = service.client.get(f"/api/v1/traces/{trace_id}/latencies/{case}").json()
    assert answer["headline"] == broken["worst"]["headline"]
    assert print_checks(rules(tmp_path, BROKEN), [LOADED], *options, "--format", "markdown") == FAILED
    [picture] = re.findall(r"^!\[[^]]+\]\(([^)]+)\)$", capsys.readouterr().out, re.MULTILINE)
    assert (
        service.client.get(picture).text
        == service.client.get(f"/api/v1/traces/{trace_id}/latencies/{case}", params={"format": "svg"}).text
    )


def test_a_service_that_is_away_changes_no_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--upload", "--server", "http://127.0.0.1:9"]
    assert print_checks(rules(tmp_path, BROKEN), [LOADED], *options) == FAILED
    told = capsys.readouterr()
    assert "cannot be reached" in told.err
    assert "Wakeup of cyclictest-369" in told.out
    assert print_checks(rules(tmp_path, BROKEN), ["-"], "--upload") == UNDECIDABLE
    assert "standard input" in capsys.readouterr().err


def test_rules_have_the_members_of_rest(tmp_path: Path) -> None:
    whole = 'field = "a.b"\nunit = "us"\nmin_count = 7\nwhere = { cpu = 1, pid = 2, comm = "x", key = "y" }'
    for content in (KEPT, f"{KEPT}\n{whole}"):
        [rule] = read_rules(str(rules(tmp_path, content)))
        assert rule == Check.model_validate(rule).model_dump()
        assert rule == Check.model_validate(tomllib.loads(content)).model_dump()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[[check", "rules.toml"),
        ("", "check"),
        ("checks = 1", "checks"),
        (f"[[check]]\n{KEPT}\n" * 101, "at most 100"),
        (f"[[check]]\n{KEPT}\nmin_count = 'x'", "check.0.min_count: must be a whole number"),
        (f"[[check]]\n{KEPT}\nwhere = {{ cpu = 'x' }}", "check.0.where.cpu: must be a whole number"),
        (f"[[check]]\n{KEPT}\nwhere = {{ cpus = 1 }}", "check.0.where.cpus"),
        ("[[check]]\n" + KEPT.replace('"1s"', "1.5"), "check.0.value"),
        ("[[check]]\nkind = 'wakeup'", "check.0.stat"),
        (f"[[check]]\n{KEPT}\nwheer = 1", "check.0.wheer"),
        ("[[check]]\n" + KEPT.replace("wakeup", "waking"), "check.0.kind"),
        (
            "[[check]]\n" + KEPT.replace("1s", "baseline") + '\nbaseline = "green"',
            "only a server has baselines",
        ),
    ],
)
def test_rules_that_mean_nothing_are_named(
    content: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(content, "utf-8")
    assert print_checks(path, [LOADED]) == UNDECIDABLE
    [line] = capsys.readouterr().err.splitlines()
    assert said in line
    assert print_checks(tmp_path / "none.toml", [LOADED]) == UNDECIDABLE
