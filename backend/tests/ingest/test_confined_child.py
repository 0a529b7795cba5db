"""The confined child ends as its limits say, answers its tasks, and takes the API out of reach of uploads."""

import asyncio
import errno
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from jitterscope import _ftrace
from jitterscope.ingest import sniffer
from jitterscope.ingest.confined_child import ChildFailed, ChildLimits, ConfinedChild
from jitterscope.ingest.walls import describe_walls, missing_walls, standing_walls
from jitterscope.problems import UnsupportedUpload
from tests.api.service import TRACE

LIMITS = ChildLimits(memory_bytes=512 << 20, cpu_seconds=5, file_bytes=0)

# What hostile code in the child may do, after the child has confined itself as it does.
DRIVER = """
import os, signal, sys
from jitterscope.ingest import child
spec = {"memory_bytes": 256 << 20, "cpu_seconds": 1, "file_bytes": 0, "descriptors": {}}
child.confine(spec | {"parent_pid": os.getppid()})
os.write(1, b"confined")
"""


def run_confined(code: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-I", "-c", DRIVER + code], capture_output=True, check=False, timeout=60
    )


def check_end(code: str, status: int) -> bytes:
    done = run_confined(code)
    assert done.stdout.startswith(b"confined"), done.stderr
    assert done.returncode == status, done.stderr
    return done.stderr


def test_the_end_of_its_time_has_a_signal_of_its_own() -> None:
    check_end("while True: pass", -signal.SIGXCPU)


def test_the_end_of_its_memory_is_no_violation() -> None:
    check_end("bytearray(1 << 30)", 1)


def test_abort_is_no_violation() -> None:
    check_end("os.abort()", -signal.SIGABRT)


def test_a_call_that_reading_does_not_need_is_a_violation() -> None:
    check_end("os.fork()", -signal.SIGSYS)


def test_a_violation_is_told_apart() -> None:
    async def violate() -> str:
        # What the kernel sends for it, as the test before shows.
        async with ConfinedChild("import", {}, {}, LIMITS) as child:
            os.kill(child.pid, signal.SIGSYS)
            return (await child.exit()).reason

    assert "a system call that reading does not need" in asyncio.run(violate())


def test_it_dies_with_its_parent() -> None:
    parent = f"""
import subprocess, sys
code = {DRIVER + "while True: pass"!r}
child = subprocess.Popen([sys.executable, "-I", "-c", code], stdout=subprocess.PIPE)
child.stdout.read(8)
print(child.pid, flush=True)
while True: pass
"""
    with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        process.kill()
    deadline = time.monotonic() + 10
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not Path(f"/proc/{pid}").exists()


def test_it_does_not_start_for_another_parent() -> None:
    code = "from jitterscope import _ftrace; _ftrace.confine(1 << 21)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, text=True)
    assert done.returncode != 0
    assert "OSError: the parent is gone" in done.stderr


def stops(pid: int) -> bool:
    """Holds the child still, unless it has ended.

    The kernel closes what a new program does not inherit, for which `Popen` waits, before it lets others read
    the arguments. A signal is taken only after both.
    """
    os.kill(pid, signal.SIGSTOP)
    change = os.waitid(os.P_PID, pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    return change is not None and change.si_code == os.CLD_STOPPED


def test_it_is_given_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by its environment nor by its arguments, which other users may read."""
    monkeypatch.setenv("DATABASE_URL", "postgresql://jitterscope:hunter2@/jitterscope")
    monkeypatch.setenv("PGPASSWORD", "hunter2")

    def told_to(pid: int) -> bytes:
        return b"".join(Path(f"/proc/{pid}/{name}").read_bytes() for name in ("environ", "cmdline"))

    async def look() -> bytes:
        while True:
            async with ConfinedChild("state_walls", {}, {}, LIMITS) as child:
                if stops(child.pid):
                    return told_to(child.pid)

    told = asyncio.run(asyncio.wait_for(look(), 20))
    assert b"jitterscope.ingest.child" in told
    assert b"hunter2" not in told
    assert b"DATABASE_URL" not in told


def test_a_child_that_fails_says_why() -> None:
    async def fail() -> str:
        async with ConfinedChild("import", {}, {}, LIMITS) as child:
            ended = await child.exit()
            assert not ended.is_clean
            return ended.stderr

    assert asyncio.run(fail()).startswith("KeyError: 'input'")


def wait_until_dead(pid: int) -> None:
    """Until it is a zombie."""
    while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
        time.sleep(0.01)


def test_a_kill_that_comes_too_late_does_not_hide_how_it_ended() -> None:
    async def fail() -> str:
        async with ConfinedChild("import", {}, {}, LIMITS) as child:
            # The event loop stands still meanwhile, and so cannot have learned of the end.
            wait_until_dead(child.pid)
            child.kill()
            return (await child.exit()).reason

    assert asyncio.run(fail()) == "exit status 70"


def test_the_end_is_noticed_where_no_thread_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when memory is short."""

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    async def look() -> list[str]:
        monkeypatch.setattr(threading.Thread, "start", refuse)
        return await asyncio.wait_for(standing_walls(), 20)

    # As uvicorn makes its loop: nobody tells asyncio's child watcher of it.
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        assert "seccomp" in runner.run(look())


def test_a_child_that_cannot_be_watched_does_not_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> int:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(os, "pidfd_open", refuse)
    with pytest.raises(ChildFailed, match="Too many open files"):
        asyncio.run(standing_walls())
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    assert not any(b"ingest.child" in Path(f"/proc/{pid}/cmdline").read_bytes() for pid in children)


def test_walls_are_stated() -> None:
    walls = asyncio.run(standing_walls())
    assert "seccomp" in walls
    assert ", ".join(walls) in describe_walls(walls)
    assert missing_walls(["own network", "Landlock ABI 7"]) == ["empty root", "seccomp"]
    assert "does not offer: empty root, seccomp" in describe_walls(["own network", "Landlock ABI 7"])
    assert describe_walls([]).startswith("WARNING")


def sniff(head: bytes) -> None:
    async def look() -> None:
        await sniffer.Sniffer().require_supported(head, len(head))

    asyncio.run(look())


def test_sniffing_tells_what_the_core_tells() -> None:
    sniff(TRACE)
    with pytest.raises(UnsupportedUpload) as refused:
        sniff(b"PERFILE2" + bytes(100))
    with pytest.raises(_ftrace.UnsupportedError) as expected:
        _ftrace.sniff(b"PERFILE2" + bytes(100), 108)
    assert (refused.value.detail, refused.value.code) == (expected.value.sentence, expected.value.code)
    assert refused.value.members == {"remedy": expected.value.remedy, **expected.value.place}


def test_a_head_that_breaks_its_child_is_left_to_the_load(monkeypatch: pytest.MonkeyPatch) -> None:
    too_little = ChildLimits(memory_bytes=8 << 20, cpu_seconds=5, file_bytes=0)
    monkeypatch.setattr(sniffer, "_LIMITS", too_little)
    # More than glibc's heap has left from the start, where it is made of huge pages.
    sniff(b"PERFILE2" + bytes(4 << 20))


def test_answers_that_make_no_sense_are_refused() -> None:
    async def ask() -> None:
        async with ConfinedChild("state_walls", {}, {}, LIMITS) as child:
            await child.answer(sniffer._REFUSAL_OR_NOTHING)  # noqa: SLF001 (any other form will do)

    with pytest.raises(ChildFailed, match="makes no sense"):
        asyncio.run(ask())
