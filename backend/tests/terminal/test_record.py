"""`jitterscope record` records with trace-cmd, which is a stand-in here: tests may not trace."""

import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

from jitterscope.run.samples import SAMPLES
from jitterscope.terminal.command_line import run_command
from tests.api.service import Service

LOADED = SAMPLES / "cyclictest-load-6.12-rt.txt.zst"

TERMINAL_DOC = Path(__file__).parents[3] / "docs" / "terminal.md"

# As rtla where the threshold is passed: does what it is told to, in that order.
RTLA = """#!/bin/bash
for word; do
    case $word in
        trace,file=*) cp "$SAMPLE" "${word#trace,file=}" ;;
        shell,command=*) sh -c "${word#shell,command=}" ;;
    esac
done
"""

# As trace-cmd: options up to the first word that is none, a command, and a file where tracing worked.
TRACE_CMD = """#!/bin/bash
printf '%s\\n' "$@" >"$TOLD"
[ "$1" = record ] || exit 9
shift
while [[ $1 == -* ]]; do
    case $1 in
        -o) out=$2; shift 2 ;;
        -b|-e) shift 2 ;;
        *) shift ;;
    esac
done
"$@"
[ -n "$SAMPLE" ] || { echo "  Can't enable ftrace" >&2; exit 1; }
cp "$SAMPLE" "$out"
"""


@pytest.fixture
def can_be_interrupted() -> Iterator[None]:
    """What is started heeds Ctrl-C. In the background it would ignore it, and a shell cannot undo that."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def recorder(service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, where trace-cmd is the first on the path; what it was told."""
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    program = bin_folder / "trace-cmd"
    program.write_text(TRACE_CMD)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    told = tmp_path / "told"
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("PATH", f"{bin_folder}:{os.environ['PATH']}")
    monkeypatch.setenv("TOLD", str(told))
    monkeypatch.setenv("SAMPLE", str(LOADED))
    monkeypatch.setenv("JITTERSCOPE_SERVER", service.base_url)
    return told


def record(capfd: pytest.CaptureFixture[str], status: int, *arguments: str) -> tuple[list[str], list[str]]:
    assert run_command("record", arguments) == status
    told = capfd.readouterr()
    return told.out.splitlines(), told.err.splitlines()


def files() -> list[str]:
    return [path.name for path in Path.cwd().iterdir()]


def test_a_hit_is_explained_and_uploaded_and_its_link_opens_the_case(
    service: Service, recorder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    command = ["echo", "-h", "400", "--over", "100us", "--label", "board=rpi5"]
    lines, _ = record(capfd, 1, "--kind", "wakeup", "--task", "cyclictest", *command)
    # The command has its own options, and its output is where it would be.
    assert lines[0] == "-h 400"
    assert recorder.read_text().splitlines()[-3:] == ["echo", "-h", "400"]
    url = lines[-1]
    assert url.startswith(f"{service.base_url}/t/")
    trace = url.removeprefix(f"{service.base_url}/t/").partition("/")[0]
    found = service.client.get(f"/api/v1/traces/{trace}").json()
    assert (found["status"], found["labels"]["board"]) == ("ready", "rpi5")
    worst = service.client.get(
        f"/api/v1/traces/{trace}/latencies", params={"kind": "wakeup", "comm": "cyclictest", "limit": 1}
    ).json()["items"][0]
    assert (worst["headline"] in lines, worst["url"]) == (True, url)
    # What is uploaded needs no file any more.
    assert files() == []


def test_what_is_not_late_is_said_and_not_kept(capfd: pytest.CaptureFixture[str]) -> None:
    lines, _ = record(capfd, 0, "--over", "1s", "--kind", "wakeup", "true")
    assert [line.split(": ")[0] for line in lines] == ["none over 1s"]
    assert files() == []
    record(capfd, 0, "--over", "1s", "--kind", "wakeup", "--keep", "kept.dat", "true")
    assert files() == ["kept.dat"]


def test_without_a_service_the_recording_is_kept_and_named(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines, _ = record(capfd, 1, "--no-upload", "true")
    [file] = files()
    assert lines[-1] == f"the recording is {file}"
    monkeypatch.setenv("JITTERSCOPE_SERVER", "http://127.0.0.1:9")
    _, told = record(capfd, 2, "--keep", "hit.dat", "true")
    assert told[0] == "jitterscope: the recording is hit.dat"
    assert "127.0.0.1:9 cannot be reached" in told[1]
    assert "hit.dat" in files()


def test_what_cannot_be_decided_is_no_success(capfd: pytest.CaptureFixture[str]) -> None:
    _, told = record(capfd, 2, "--over", "1s", "--kind", "hwlat", "true")
    assert "there is no hwlat latency" in told[-1]
    assert len(files()) == 1


def test_what_keeps_it_from_tracing_is_said(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAMPLE", "")
    for tracefs, said in {
        "here": "is empty: `mount -t tracefs",
        "told": "cannot be used (Not a directory)",
    }.items():
        monkeypatch.setattr("jitterscope.terminal.record._TRACEFS", str(tmp_path / tracefs))
        _, told = record(capfd, 2, "true")
        assert told[0] == "  Can't enable ftrace"
        assert told[1].startswith("jitterscope: nothing was recorded: ")
        assert f"{tmp_path / tracefs} {said}" in told[1]
    monkeypatch.setenv("PATH", "/nonexistent")
    _, told = record(capfd, 2, "true")
    assert told == [
        "jitterscope: trace-cmd is not installed, which records for this command; `apt install trace-cmd`"
    ]


def test_the_hook_for_rtla_uploads_and_links_to_the_worst_case(
    service: Service, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bin" / "rtla").write_text(RTLA)
    (tmp_path / "bin" / "rtla").chmod(0o755)
    (tmp_path / "bin" / "jitterscope").symlink_to(Path(sys.executable).with_name("jitterscope"))
    [hook] = re.findall(r"^```sh\n(rtla .*?)^```$", TERMINAL_DOC.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    subprocess.run(["bash", "-euc", hook], check=True)
    headline, url = capfd.readouterr().out.splitlines()
    trace, _, case = url.removeprefix(f"{service.base_url}/t/").partition("/")
    worst = service.client.get(f"/api/v1/traces/{trace}").json()["worst"]
    assert worst["headline"] == headline
    assert worst["id"] in unquote(case)


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (["--keep", "k", "--", "echo", "--over", "1s"], ["echo", "--over", "1s"]),
        (["--keep", "k", "echo", "-o", "--", "x"], ["echo", "-o", "--", "x"]),
        (["echo", "-b20", "--keep=k", "-e", "all"], ["echo", "-b20", "-e", "all"]),
    ],
)
def test_options_of_the_command_stay_its_own(
    arguments: list[str], command: list[str], recorder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    record(capfd, 1, "--no-upload", *arguments)
    assert recorder.read_text().splitlines()[-len(command) :] == command
    assert files() == ["k"]


@pytest.mark.parametrize("arguments", [[], ["--over", "1s"], ["--no-such", "x"], ["--"]])
def test_a_command_is_needed(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        run_command("record", arguments)
    told = capfd.readouterr().err
    assert told.startswith("jitterscope record: ")
    assert told.count("\n") == 1


@pytest.mark.usefixtures("can_be_interrupted")
def test_ctrl_c_ends_the_command_and_keeps_what_was_recorded(tmp_path: Path) -> None:
    (tmp_path / "wait").write_text(
        "#!/bin/bash\ntrap 'kill $!; exit 0' INT\nsleep 60 >/dev/null &\necho started\nwait\n"
    )
    (tmp_path / "wait").chmod(0o755)
    program = (
        (tmp_path / "bin" / "trace-cmd")
        .read_text()
        .replace("#!/bin/bash", "#!/bin/bash\ntrap '' TERM\ntrap : INT")
    )
    (tmp_path / "bin" / "trace-cmd").write_text(program)
    command = [
        sys.executable,
        "-m",
        "jitterscope",
        "record",
        "--no-upload",
        "--keep",
        "k",
        str(tmp_path / "wait"),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "started\n"
        os.killpg(running.pid, 2)
        assert running.stdout.read().splitlines()[-1] == "the recording is k"
    assert running.returncode == 1


@pytest.mark.usefixtures("can_be_interrupted")
def test_ctrl_c_at_once_ends_the_command_alone(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    class Interrupted(subprocess.Popen[bytes]):
        def __init__(self, command: list[str]) -> None:
            super().__init__(command)
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(subprocess, "Popen", Interrupted)
    said, _ = record(capfd, 1, "--no-upload", "--keep", "k", "true")
    assert said[-1] == "the recording is k"
