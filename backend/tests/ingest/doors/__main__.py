"""Tries all doors, one by one.

    python -m tests.ingest.doors '<JSON: what there is to reach outside>'

Confines itself as the child does, by the child's own function, tries a door, and prints what came of it as
JSON. Each door is tried in a process of its own, because the knock may end it. With `"is_confined": false`
the doors are tried outside; a door that is shut there, too, would prove nothing.
"""

import contextlib
import ctypes
import json
import os
import signal
import struct
import sys
from collections.abc import Iterator

from jitterscope.ingest import child
from tests.ingest.doors import DOORS
from tests.ingest.doors.door import LIBC, Door, Outside, number_of, require
from tests.ingest.doors.kernel import remove_what_is_shared

HIDDEN_CALLS = {"Landlock": "landlock_create_ruleset", "namespaces": "unshare", "seccomp": "seccomp"}


def hide(kinds: list[str]) -> None:
    """Lets the kernel of this process look like one that lacks these kinds of walls."""
    numbers = [number_of(HIDDEN_CALLS[kind]) for kind in kinds]
    load_number, jump_if_equal, give_back = 0x20, 0x15, 0x06
    allow, no_such_call = 0x7FFF_0000, 0x0005_0000 | 38
    program = [(load_number, 0, 0, 0)]
    for number in numbers:
        program += [(jump_if_equal, 0, 1, number), (give_back, 0, 0, no_such_call)]
    program.append((give_back, 0, 0, allow))
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in program))
    description = struct.pack("HxxxxxxQ", len(program), ctypes.addressof(code))
    pr_set_no_new_privs, pr_set_seccomp, mode_filter = 38, 22, 2
    require(LIBC.prctl(pr_set_no_new_privs, 1, 0, 0, 0))
    require(LIBC.prctl(pr_set_seccomp, mode_filter, description, 0, 0))


def confine(outside: Outside) -> list[str]:
    if not outside["is_confined"]:
        return []
    if outside["hidden"]:
        hide(outside["hidden"])
    return child.confine(outside["spec"] | {"parent_pid": os.getppid()})


@contextlib.contextmanager
def answering(descriptor: int) -> Iterator[None]:
    """Writes what came of it: `open`, or the name of the error."""
    try:
        yield
    except OSError as error:
        os.write(descriptor, (error.strerror or "error").encode())
    except (MemoryError, ValueError) as error:
        os.write(descriptor, type(error).__name__.encode())
    else:
        os.write(descriptor, b"open")
    os._exit(0)


def knock(outside: Outside, door: Door) -> str:
    """What came of a door, tried in a process of its own."""
    output, answers = outside["output"], outside["answers"]
    if (pid := os.fork()) == 0:
        confine(outside)
        with answering(output):
            door(outside)
    _, status = os.waitpid(pid, 0)
    said = ""
    with contextlib.suppress(BlockingIOError):
        said = os.read(answers, 1000).decode()
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    # A door that replaces the process leaves no answer.
    return said or ("open" if os.WEXITSTATUS(status) == 0 else f"exit {os.WEXITSTATUS(status)}")


def name_walls(outside: Outside) -> list[str]:
    if (pid := os.fork()) == 0:
        os.write(outside["output"], json.dumps(confine(outside)).encode())
        os._exit(0)
    os.waitpid(pid, 0)
    walls: list[str] = json.loads(os.read(outside["answers"], 10_000))
    return walls


def main() -> None:
    outside: Outside = json.loads(sys.argv[1])
    answers, output = os.pipe()
    os.set_blocking(answers, False)
    inherited = os.open("/etc/passwd", os.O_RDONLY)
    high = os.dup2(inherited, 900)
    source = os.open(outside["writable"], os.O_RDONLY)
    scratch = os.memfd_create("scratch")
    descriptors = {"input": source, "scratch": scratch, "output": output}
    outside |= descriptors | {"answers": answers, "inherited": inherited, "inherited_high": high}
    outside["spec"] = {
        "memory_bytes": 512 << 20,
        "cpu_seconds": 5,
        "file_bytes": 0,
        "descriptors": descriptors,
    }
    found = {}
    for name, (door, _) in DOORS.items():
        with contextlib.suppress(FileExistsError):
            os.close(os.open(outside["removable"], os.O_CREAT | os.O_WRONLY))
        found[name] = knock(outside, door)
    remove_what_is_shared()
    print(json.dumps({"walls": name_walls(outside), "doors": found}))


if __name__ == "__main__":
    main()
