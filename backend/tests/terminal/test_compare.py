"""`compare`, `experiment` and `baseline`: what a service knows of many traces."""

import json

import pytest

from jitterscope.run.samples import SAMPLES
from jitterscope.terminal.command_line import run_command
from tests.api.service import Service

LOADED, QUIET = "cyclictest-load-6.12-rt.txt.zst", "cyclictest-6.12-rt.dat"


@pytest.fixture(autouse=True)
def address(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JITTERSCOPE_SERVER", service.base_url)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert run_command(arguments[0], arguments[1:]) == status
    told = capsys.readouterr()
    return told.err if status else told.out


def ready(service: Service, name: str) -> str:
    return service.ready((SAMPLES / name).read_bytes(), name)


def test_variants_are_compared_saved_shown_and_deleted(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = ready(service, QUIET), ready(service, LOADED)
    service.client.patch(f"/api/v1/traces/{after}", json={"labels": {"load": "yes"}})
    asked = ["--kind", "wakeup", f"before={before}", "after=load:yes"]
    body = {
        "measure": {"kind": "wakeup"},
        "variants": [{"name": "before", "traces": [before]}, {"name": "after", "labels": {"load": "yes"}}],
    }
    rest = service.client.post("/api/v1/compare", json=body).json()
    assert json.loads(printed(capsys, "compare", "--json", *asked)) == rest
    html = service.client.post("/api/v1/compare", json=body, params={"format": "html"}).text
    assert printed(capsys, "compare", "--html", *asked) == f"{html}\n"
    text = printed(capsys, "compare", *asked, "--save", "Load 1", "--note", "of cyclictest")
    assert text.splitlines()[0] == rest["sentence"]
    first, second = (line for line in text.splitlines() if line.startswith(("  before", "  after")))
    assert first.split()[:3] == ["before", "1", f"{rest['variants'][0]['samples']:,}"]
    assert second.split()[2] == f"{rest['variants'][1]['samples']:,}"
    assert text.splitlines()[-1] == f"{service.base_url}/experiments/load-1"
    heads, row = printed(capsys, "experiment").splitlines()
    assert (heads.split(), row.split()[:3]) == (["slug", "name", "changed"], ["load-1", "Load", "1"])
    shown = printed(capsys, "experiment", "load-1").splitlines()
    assert shown[:4] == ["Load 1", f"{service.base_url}/experiments/load-1", "", rest["sentence"]]
    svg = service.client.post("/api/v1/compare", json=body, params={"format": "svg"}).text
    assert printed(capsys, "experiment", "--svg", "load-1") == f"{svg}\n"
    found = json.loads(printed(capsys, "experiment", "--json", "load-1"))
    assert (found["experiment"]["note"], found["answer"]["variants"]) == ("of cyclictest", rest["variants"])
    assert printed(capsys, "experiment", "--delete", "load-1") == "deleted load-1\n"
    assert "load-1" in printed(capsys, "experiment", "load-1", status=1)


def test_a_baseline_is_saved_listed_shown_and_deleted(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    url = service.client.get(f"/api/v1/traces/{ready(service, QUIET)}").json()["url"]
    # A permalink names a trace as well as its id does.
    text = printed(
        capsys, "baseline", "quiet", "--save", url, "--name", "Nothing runs", "--task", "cyclictest"
    )
    assert text.splitlines()[0] == "quiet: Nothing runs"
    saved = service.client.get("/api/v1/baselines/quiet").json()
    assert saved["variant"]["traces"] == [url.rpartition("/")[2]]
    assert (saved["where"]["comm"], saved["trace_count"]) == ("cyclictest", 1)
    assert json.loads(printed(capsys, "baseline", "--json", "quiet")) == saved
    assert "quiet" in printed(capsys, "baseline")
    labels = printed(capsys, "baseline", "by-label", "--save", "board:no such,kernel:6.12")
    assert "0 traces: board:no such, kernel:6.12" in labels
    for slug in ("quiet", "by-label"):
        assert printed(capsys, "baseline", "--delete", slug) == f"deleted {slug}\n"
    assert printed(capsys, "baseline") == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["compare", "--kind", "wakeup", "before"], "'before' is no variant; write NAME=TRACE"),
        (["compare", "--kind", "wakeup", "a=,"], "names no traces"),
        (["compare", "--kind", "wakeup", "a=x,b:c"], "'x,b:c' mixes traces and labels"),
        (["compare", "--kind", "wakeup", "a=nosuchtrace1"], "nosuchtrace1"),
        (["experiment", "--delete"], "name the one that is meant"),
        (["experiment", "no-such"], "no-such"),
        (["baseline", "--save", "a:b"], "--save needs a SLUG"),
        (["baseline", "no such", "--save", "a:b"], "slug"),
    ],
)
def test_what_means_nothing_is_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    [line] = printed(capsys, *arguments, status=1).splitlines()
    assert line.startswith("jitterscope: ")
    assert said in line


def test_curves_are_a_png_for_a_file_but_not_for_a_terminal(
    service: Service, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ["--png", "--kind", "wakeup", f"one={ready(service, QUIET)}", f"other={ready(service, LOADED)}"]
    assert run_command("compare", asked) == 0
    assert capsysbinary.readouterr().out.startswith(b"\x89PNG")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert run_command("compare", asked) == 1
    told = capsysbinary.readouterr()
    assert (told.out, b"write it to a file" in told.err) == (b"", True)
