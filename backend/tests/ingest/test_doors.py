"""Code that takes over the confined child finds every door shut."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.ingest.doors import DOORS

BACKEND = Path(__file__).parents[2]
KINDS = ("namespaces", "Landlock", "seccomp")
# Not every machine has these, whoever asks: they may be built out of a kernel or switched off.
ABSENT_SOMEWHERE = {
    "make_a_ring",
    "make_a_queue_of_io",
    "catch_faults",
    "hide_memory",
    "load_a_program_into_the_kernel",
    "count_events_of_the_processor",
    "keep_a_key",
    "compare_with_the_parent",
    "name_a_file_by_handle",
    "open_a_message_queue",
    "make_a_socket_of_PACKET",
    "make_a_socket_of_VSOCK",
    "make_a_socket_of_ALG",
    "reach_tcp_over_ipv6",
    "make_a_user_namespace",
    "execute_a_descriptor",
    "take_a_descriptor_of_the_parent",
    "read_the_log_of_the_kernel",
    "call_by_the_numbers_of_x32",
    "make_a_file_system",
}


@dataclass(frozen=True)
class Found:
    walls: list[str]
    doors: dict[str, str]

    def open_doors(self) -> set[str]:
        return {name for name, outcome in self.doors.items() if outcome == "open"}


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, object]]:
    """What there is to reach: a database's socket, other sockets, and files."""
    folder = tmp_path_factory.mktemp("outside")
    with ExitStack() as stack:

        def listening(
            family: int, address: str | tuple[str, int], kind: int = socket.SOCK_STREAM
        ) -> socket.socket:
            server = stack.enter_context(socket.socket(family, kind))
            server.bind(address)
            if kind == socket.SOCK_STREAM:
                server.listen(100)
            return server

        named = folder / ".s.PGSQL.5432"
        listening(socket.AF_UNIX, str(named))
        abstract = f"door-{os.getpid()}"
        listening(socket.AF_UNIX, "\0" + abstract)
        for name in ("writable", "passwords", "removable"):
            (folder / name).write_text("secret")
        yield {
            "folder": str(folder),
            "socket": str(named),
            "abstract": abstract,
            "tcp": listening(socket.AF_INET, ("127.0.0.1", 0)).getsockname()[1],
            "tcp6": listening(socket.AF_INET6, ("::1", 0)).getsockname()[1],
            "udp": listening(socket.AF_INET, ("127.0.0.1", 0), socket.SOCK_DGRAM).getsockname()[1],
            "writable": str(folder / "writable"),
            "passwords": str(folder / "passwords"),
            "removable": str(folder / "removable"),
        }


def knock(outside: dict[str, object], *, is_confined: bool, hidden: Sequence[str] = ()) -> Found:
    spec = outside | {"is_confined": is_confined, "hidden": list(hidden)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.ingest.doors", json.dumps(spec)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        # As the parent starts the child, and in a group of its own for the doors that signal groups.
        start_new_session=True,
        cwd=BACKEND,
        env={"LANG": "C.UTF-8"},
    )
    assert done.returncode == 0, done.stderr
    return Found(**json.loads(done.stdout))


@pytest.fixture(scope="module")
def unconfined(outside: dict[str, object]) -> Found:
    return knock(outside, is_confined=False)


@pytest.fixture(scope="module")
def confined(outside: dict[str, object]) -> Found:
    return knock(outside, is_confined=True)


@pytest.mark.parametrize("door", sorted(set(DOORS) - ABSENT_SOMEWHERE))
def test_the_door_is_open_outside(unconfined: Found, door: str) -> None:
    if os.geteuid() != 0 and unconfined.doors[door] == "Operation not permitted":
        pytest.xfail("only root may do this in the first place")
    assert unconfined.doors[door] == "open"


@pytest.mark.parametrize("door", sorted(DOORS))
def test_the_door_is_shut(confined: Found, door: str) -> None:
    assert confined.doors[door] not in ("open", "")


def test_seccomp_stands_everywhere(confined: Found) -> None:
    assert "seccomp" in confined.walls


@pytest.mark.parametrize("kind", KINDS)
def test_a_wall_alone_shuts_its_doors(outside: dict[str, object], kind: str) -> None:
    found = knock(outside, is_confined=True, hidden=[other for other in KINDS if other != kind])
    # `Landlock ABI 7` is the wall `Landlock`.
    walls = {wall.partition(" ABI ")[0] for wall in found.walls}
    others = {"Landlock", "seccomp"} - {kind}
    assert not walls & others
    shut = {name for name, (_, by) in DOORS.items() if not by or by & walls}
    assert found.open_doors() & shut == set()


def test_without_any_wall_the_child_says_so(outside: dict[str, object]) -> None:
    found = knock(outside, is_confined=True, hidden=KINDS)
    assert found.walls == []
    assert "read_a_file" in found.open_doors()
    assert "lift_the_own_limits" not in found.open_doors()
