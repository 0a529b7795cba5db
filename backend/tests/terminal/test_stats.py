"""`jitterscope stats` has the numbers of REST."""

import json

import pytest

from jitterscope.run.samples import SAMPLES, Sample, list_samples
from jitterscope.terminal.command_line import run_command
from jitterscope.terminal.recording import read_recording
from jitterscope.terminal.stats import Selection, stats
from tests.api.service import Service
from tests.terminal.conftest import without_links

LOADED = str(SAMPLES / "cyclictest-load-6.12-rt.txt.zst")


@pytest.mark.parametrize("sample", [*list_samples()], ids=lambda sample: sample.path.name)
def test_every_sample_has_the_statistics_of_rest(sample: Sample, service: Service) -> None:
    trace = f"/api/v1/traces/{service.ready(sample.path.read_bytes(), sample.path.name)}"
    recording = read_recording(str(sample.path))
    kinds = [one for one in service.client.get(f"{trace}/latencies/kinds").json()["items"] if one["count"]]
    for by, group_by in ((None, None), ("cpu", "cpu"), ("task", "pid")):
        found = stats(recording, Selection(by=by))
        assert [one["kind"] for one in found] == [one["kind"] for one in kinds]
        for one in found:
            params = {"kind": one["kind"]} | ({} if group_by is None else {"group_by": group_by})
            rest = service.client.get(f"{trace}/latencies/stats", params=params).json()
            assert without_links(one) == without_links(rest)


def test_a_line_for_each_kind_or_group(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command("stats", [LOADED]) == 0
    name, heads, *rows = capsys.readouterr().out.splitlines()
    assert name == "cyclictest-load-6.12-rt.txt.zst"
    assert heads.split() == ["kind", "count", "min", "mean", "p50", "p99", "p99.9", "max"]
    assert [row.split()[0] for row in rows][:2] == ["cyclic", "timer"]
    assert len({len(row) for row in (heads, *rows)}) == 1
    assert run_command("stats", ["--kind", "wakeup", "--by", "task", LOADED]) == 0
    _, heads, *rows = capsys.readouterr().out.splitlines()
    assert heads.split()[:3] == ["kind", "task", "count"]
    assert any("cyclictest-369" in row for row in rows)


def test_json_is_an_object_a_recording(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command("stats", ["--json", "--kind", "wakeup", "--task", "cyclictest", LOADED]) == 0
    answer = json.loads(capsys.readouterr().out)
    [kind] = answer["items"]
    assert kind["kind"] == "wakeup"
    assert kind["groups"][0]["count"] > 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--kind", "hwlat", LOADED], "there is no hwlat latency; this recording has"),
        (["--kind", "wakeup", "--by", "key", LOADED], "group_by"),
    ],
)
def test_what_is_not_there_is_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command("stats", arguments) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("jitterscope: ")
    assert said in line
