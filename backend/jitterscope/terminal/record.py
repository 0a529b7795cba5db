"""Records a command with trace-cmd, and uploads the recording if something in it took longer than allowed."""

import argparse
import contextlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

from jitterscope.terminal.answers import Failures, warn
from jitterscope.terminal.kinds import present_kinds, task_filter
from jitterscope.terminal.recording import Recording, Refusal, read_recording
from jitterscope.terminal.server import add_server, labels_of, server_of
from jitterscope.terminal.text import plain
from jitterscope.terminal.upload import link_of, upload, wait_for
from jitterscope.terminal.why import Selection, text_of, why

NO_HIT, HIT, UNDECIDABLE = 0, 1, 2

_BUFFER_KIB = 20_000
# What `wakeup` and `cyclic` latencies and their causes are found in (docs/recording.md).
_EVENTS = (
    *("sched", "irq", "timer", "irq_vectors", "power", "workqueue"),
    *("syscalls:sys_enter_clock_nanosleep", "syscalls:sys_exit_clock_nanosleep"),
)
_TRACEFS = "/sys/kernel/tracing"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = (
        "%(prog)s [OPTION…] COMMAND [ARGUMENT…] [OPTION…], or %(prog)s [OPTION…] -- COMMAND [ARGUMENT…]"
    )
    _add_options(parser)
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the command, with its own arguments")


def parse(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> argparse.Namespace:
    """The options before the command, and without a `--` before it, those after it, too.

    `cyclictest -h 400 --over 100us` keeps its own `-h`.
    """
    parsed = parser.parse_args(arguments)
    command: list[str] = parsed.command
    is_verbatim = [*arguments[: len(arguments) - len(command)], *command[:1]].count("--") > 0
    if command[:1] == ["--"]:
        command = command[1:]
    if not is_verbatim:
        behind = argparse.ArgumentParser(parser.prog, parser.usage, add_help=False, allow_abbrev=False)
        _add_options(behind)
        _, command = behind.parse_known_args(command, parsed)
    if not command or command[0].startswith("-"):
        parser.error("name the command to record")
    parsed.command = command
    return parsed


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--over", metavar="TIME", help="a hit is a latency over this, as 100us; else any is")
    parser.add_argument("--kind", help="kind of latency that is meant, as wakeup; else the first there is")
    parser.add_argument("--task", help="only this task: its name, its pid, or name-pid")
    parser.add_argument(
        "--event", action="append", metavar="EVENT", help=f"may be repeated; instead of {', '.join(_EVENTS)}"
    )
    parser.add_argument(
        "--buffer", type=int, default=_BUFFER_KIB, metavar="KIB", help="of each CPU; 20000 by default"
    )
    parser.add_argument("--keep", metavar="FILE", help="keep the recording here, hit or not")
    parser.add_argument("--label", action="append", default=[], metavar="NAME=VALUE", help="of the trace")
    parser.add_argument("--no-upload", action="store_true", help="keep the recording of a hit instead")
    add_server(parser)


def run(arguments: argparse.Namespace) -> int:
    """Records, explains and uploads. Returns 1 for a hit, 2 where that could not be decided, else 0."""
    failures = Failures(UNDECIDABLE)
    status = NO_HIT
    with failures.catch():
        labels = labels_of(arguments.label)
        file = arguments.keep or f"jitterscope-{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}.dat"
        record(arguments.command, arguments.event or _EVENTS, arguments.buffer, file)
        recording = warn(read_recording(file))
        status = judge(recording, arguments.over, arguments.kind, arguments.task)
        if status == NO_HIT and arguments.keep is None:
            os.unlink(file)  # noqa: PTH108 (as in recording.py)
        if status != HIT:
            return status
        found = why(recording, Selection(arguments.kind, arguments.task))
        print("\n".join(text_of(recording, found, shows_kinds=False)), flush=True)
        if arguments.no_upload:
            print(f"\nthe recording is {plain(file)}")
            return HIT
        # Until it is uploaded, the file is all that there is of the hit.
        print(f"jitterscope: the recording is {plain(file)}", file=sys.stderr)
        server = server_of(arguments)
        trace = wait_for(server, upload(server, file, {"labels": json.dumps(labels)}))
        print(f"\n{plain(link_of(server, trace, found.cases[0]['id']))}")
        if arguments.keep is None:
            os.unlink(file)  # noqa: PTH108 (as above)
    return failures.status or status


def record(command: Sequence[str], events: Sequence[str], buffer_kib: int, file: str) -> None:
    """Has trace-cmd record the command into a file. Ctrl-C ends the command, and what was recorded is kept.

    Raises: Refusal.
    """
    program = shutil.which("trace-cmd")
    if program is None:
        raise Refusal("trace-cmd is not installed, which records for this command; `apt install trace-cmd`")
    wanted = [part for event in events for part in ("-e", event)]
    recorder = [program, "record", "-q", "-b", str(buffer_kib), *wanted, "-o", file, *command]
    with contextlib.suppress(FileNotFoundError):
        os.unlink(file)  # noqa: PTH108 (as above)
    with _ctrl_c_for_children_only(), subprocess.Popen(recorder) as running:
        code = running.wait()
    if not os.path.exists(file):  # noqa: PTH110 (as above)
        raise Refusal(
            f"nothing was recorded: `{shlex.join(recorder)}` ended with status {code}; {_obstacle()}"
        )


@contextlib.contextmanager
def _ctrl_c_for_children_only() -> Iterator[None]:
    """Ctrl-C, which a terminal sends to all of them, is for what is started in here, not for this process."""
    before = signal.getsignal(signal.SIGINT)
    if before != signal.SIG_IGN:
        # Not SIG_IGN, which what is started would inherit; and beforehand, since Ctrl-C may come at once.
        signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def judge(recording: Recording, over: str | None, kind: str | None, task: str | None) -> int:
    """Whether the longest latency is over the limit, and says so where it is not.

    Raises: RequestError, NothingMeasured.
    """
    if over is None:
        return HIT
    tasks = task_filter(recording, task)
    meant = present_kinds(recording, kind, tasks)[0]
    limit = {"kind": meant["kind"], "stat": "max", "op": "<=", "value": over, **tasks}
    found = recording.ask("latency_check", limit)
    if found["outcome"] == "failed":
        return HIT
    longest = (
        meant["worst"]["headline"] if meant["worst"] else f"{meant['count']:,} {meant['kind']} latencies"
    )
    if found["outcome"] == "passed":
        print(plain(f"none over {over}: {longest}"))
        return NO_HIT
    raise Refusal(f"whether anything was over {over} cannot be decided: {found['reason']}")


def _obstacle() -> str:
    """What visibly keeps this process from tracing."""
    try:
        os.listdir(_TRACEFS)  # noqa: PTH208 (as above)
        with open(f"{_TRACEFS}/tracing_on", "r+b"):  # noqa: PTH123 (as above)
            pass
    except FileNotFoundError:
        return f"{_TRACEFS} is empty: `mount -t tracefs nodev {_TRACEFS}` as root"
    except OSError as error:
        return f"{_TRACEFS} cannot be used ({error.strerror}): run it as root, outside of containers"
    return "trace-cmd says why above; tracing needs root, and in a container the permission of its host"
