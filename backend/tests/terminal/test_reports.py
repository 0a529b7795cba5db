"""Each report of checks is read by what it is for, and hostile names stay text in all of them."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
import yaml

from jitterscope.run.samples import SAMPLES
from jitterscope.terminal.command_line import run_command
from jitterscope.terminal.reports import REPORTS, report_of
from jitterscope.terminal.reports.result import CheckedFile, Drawn, Result

LOADED = str(SAMPLES / "cyclictest-load-6.12-rt.txt.zst")
RULES = """
[[check]]
kind = "wakeup"
stat = "max"
op = "<="
value = "1s"

[[check]]
kind = "wakeup"
stat = "max"
op = "<="
value = "50us"
where = { comm = "cyclictest" }

[[check]]
kind = "hwlat"
stat = "count"
op = "<="
value = 3
"""
NAMES = ("wakeup max <= 1s", "wakeup comm=cyclictest max <= 50us", "hwlat count <= 3")

BUILD = "lab_1:6.12-rt/42"
HOSTILE = "x\x1b[2J\n::error::y | <b>`@all` # TODO & \\ %0A\0\ud800 RESULT=pass> ok 1"
EVIL = CheckedFile(
    HOSTILE, [Result(HOSTILE, "failed", HOSTILE, HOSTILE, (84_000, "ns"), [HOSTILE, "", "max"])]
)


def reported(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: Sequence[str] = ()
) -> str:
    rules = tmp_path / "rules.toml"
    rules.write_text(RULES, "utf-8")
    assert run_command("check", ["--format", name, *options, str(rules), LOADED, "/there/is/none"]) == 1
    return capsys.readouterr().out


def test_junit_counts_what_is_no_success(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suites = fromstring(reported("junit", tmp_path, capsys))  # noqa: S314 (ours)
    assert suites.attrib == {"tests": "4", "failures": "1", "errors": "2"}
    first, second = suites
    assert [case.get("name") for case in first] == [*NAMES]
    assert [[told.tag for told in case] for case in first] == [[], ["failure"], ["error"]]
    assert "behind 3 hackbench tasks" in "".join(first.itertext())
    assert [told.tag for told in second[0]] == ["error"]


def test_tap_has_a_plan_and_a_point_for_each_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    version, plan, *lines = reported("tap", tmp_path, capsys).splitlines()
    assert (version, plan) == ("TAP version 14", "1..4")
    points = [line for line in lines if not line.startswith("  ")]
    assert [line.split(" - ")[0] for line in points] == ["ok 1", "not ok 2", "not ok 3", "not ok 4"]
    told = [yaml.safe_load(text) for text in re.findall(r"---\n(.*?)\n  \.\.\.", "\n".join(lines), re.DOTALL)]
    assert [one["outcome"] for one in told] == ["passed", "failed", "undecidable", "undecidable"]
    assert told[1]["measured"] == "3.134 ms"


def test_lava_has_a_signal_with_the_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = reported("lava", tmp_path, capsys).splitlines()
    name = "cyclictest-load-6.12-rt.txt.zst-wakeup-comm=cyclictest-max-le-50us"
    assert lines[1].startswith(f"<LAVA_SIGNAL_TESTCASE TEST_CASE_ID={name} RESULT=fail MEASUREMENT=3134")
    assert lines[1].endswith(" UNITS=ns>")
    assert [re.search(r"RESULT=(\w+)", line)[1] for line in lines] == ["pass", "fail", "unknown", "unknown"]  # type: ignore[index] # None would fail, too


def test_github_has_annotations_and_a_summary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("before\n", "utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    lines = reported("github", tmp_path, capsys).splitlines()
    assert [line.split(" ")[0] for line in lines] == ["::notice", "::error", "::warning", "::warning"]
    assert "title=cyclictest-load-6.12-rt.txt.zst%3A wakeup comm=cyclictest max <= 50us::" in lines[1]
    monkeypatch.delenv("GITHUB_STEP_SUMMARY")
    assert summary.read_text("utf-8") == "before\n" + reported("markdown", tmp_path, capsys)


def test_markdown_is_a_table_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = reported("markdown", tmp_path, capsys).splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {5}
    assert [row.split(" | ")[1] for row in rows[2:5]] == ["✅ passed", "❌ **failed**", "⚠️ undecidable"]


def test_markdown_draws_what_broke_a_limit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fenced = re.compile(r"^```text\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
    [drawing] = fenced.findall(reported("markdown", tmp_path, capsys))
    headline, ruler, *links, last = drawing.splitlines()
    assert headline.startswith("Wakeup of cyclictest-369 on CPU 0 took 3.134 ms: behind 3 hackbench tasks")
    assert re.fullmatch(r" +[█░]{60}  3\.134 ms", ruler)
    assert any("behind hackbench-" in link for link in links)
    assert last.startswith("  wakeup-369@")


def test_a_drawing_ends_where_it_is_to_end() -> None:
    lines = ["```", "# x", "````", "\x1b[2J`"]
    drawn = Drawn(lines, "http://jitterscope.lab/t/a", "http://jitterscope.lab/api/v1/traces/a?format=svg")
    report = report_of("markdown", [CheckedFile("x", [Result("x", "failed", "x", "x", None, ["x"], drawn)])])
    assert report.splitlines()[-9:] == [
        "",
        "![The ruler of the case](http://jitterscope.lab/api/v1/traces/a?format=svg)",
        "",
        "`````text",
        *lines[:3],
        r"\x1b[2J`",
        "`````",
    ]


def test_kcidb_has_a_test_run_for_each_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--build", BUILD]
    found = json.loads(reported("kcidb", tmp_path, capsys, options))
    assert found["version"] == {"major": 5, "minor": 3}
    tests = found["tests"]
    assert [test["status"] for test in tests] == ["PASS", "FAIL", "ERROR", "ERROR"]
    assert {(test["build_id"], test["origin"]) for test in tests} == {(BUILD, "lab_1")}
    assert tests[1]["path"] == "jitterscope.wakeup.comm_cyclictest.max"
    assert tests[1]["number"]["value"] == pytest.approx(3.134e-3, rel=1e-3)
    assert (tests[1]["number"]["unit"], tests[2]["path"]) == ("s", "jitterscope.hwlat.count")
    assert "behind 3 hackbench tasks" in tests[1]["log_excerpt"]
    assert "number" not in tests[3]
    ids = [test["id"] for test in tests]
    assert all(re.fullmatch(r"lab_1:jitterscope-[0-9a-f]{32}", one) for one in ids)
    assert len(set(ids)) == 4
    # Sent twice, it is the same test run; of another build it is another.
    assert json.loads(reported("kcidb", tmp_path, capsys, options)) == found
    others = json.loads(reported("kcidb", tmp_path, capsys, ["--build", "lab_1:x"]))["tests"]
    assert not {*ids} & {other["id"] for other in others}


@pytest.mark.parametrize("options", [[], ["--build", "5234"], ["--build", "Lab:1"], ["--build", "lab:"]])
def test_kcidb_needs_a_build(
    options: Sequence[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--format", "kcidb", *options, str(tmp_path / "rules.toml"), LOADED]
    if options:
        with pytest.raises(SystemExit, match="2"):
            run_command("check", arguments)
    else:
        assert run_command("check", arguments) == 2
    assert "--build" in capsys.readouterr().err


@pytest.mark.parametrize("name", REPORTS)
def test_hostile_names_stay_text(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    report = report_of(name, [EVIL], BUILD)
    assert not {"\x1b", "\0"} & {*report}
    report.encode()
    if name == "junit":
        [suite] = fromstring(report)  # noqa: S314 (ours)
        assert [len(case) for case in suite] == [1]
        return
    # Nothing of the name begins a line, ends a cell, or turns a failure into something else.
    assert len(report.splitlines()) == len(
        report_of(name, [EVIL._replace(name="x", results=plain_results())], BUILD).splitlines()
    )
    assert not any(line.lstrip().startswith("::error::y") for line in report.splitlines())
    if name == "markdown":
        assert not re.search(r"(?<!\\)[<`@]", report.replace("<br>", ""))
    if name == "tap":
        assert not re.search(r"(?<!\\)# TODO", report.split("---")[0])
    if name == "kcidb":
        [test] = json.loads(report)["tests"]
        assert re.fullmatch(r"[.A-Za-z0-9_-]+", test["path"])
        # JSON may hold them escaped, and the schema does not.
        assert "\0" not in "".join(str(value) for value in test.values())
    if name == "lava":
        assert re.findall(r"RESULT=\w+ ", report) == ["RESULT=fail "]


def plain_results() -> list[Result]:
    return [Result("x", "failed", "x", "x", (84_000, "ns"), ["x"])]
