"""Starting programs, and making new ones out of memory."""

import ctypes
import mmap
import os
import signal
import struct

from tests.ingest.doors.door import LIBC, Outside, call, require, shut_by

AT_EMPTY_PATH = 0x1000


@shut_by("seccomp")
def fork(_: Outside) -> None:
    if (pid := os.fork()) == 0:
        os._exit(0)
    os.waitpid(pid, 0)


@shut_by("seccomp")
def clone(_: Outside) -> None:
    if (pid := call("clone", signal.SIGCHLD, 0, 0, 0, 0)) == 0:
        os._exit(0)
    os.waitpid(pid, 0)


@shut_by("seccomp")
def clone3(_: Outside) -> None:
    arguments = struct.pack("8Q", 0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)
    if (pid := call("clone3", arguments, len(arguments))) == 0:
        os._exit(0)
    os.waitpid(pid, 0)


@shut_by("seccomp", "empty root", "Landlock")
def vfork(_: Outside) -> None:
    # What subprocess does on Linux.
    os.posix_spawn("/bin/true", ["true"], {})


@shut_by("seccomp", "empty root", "Landlock")
def execute(_: Outside) -> None:
    os.execv("/bin/true", ["true"])


@shut_by("seccomp", "empty root", "Landlock")
def execute_a_descriptor(_: Outside) -> None:
    descriptor = call("memfd_create", b"door", 0)
    with open("/bin/true", "rb") as program:  # noqa: PTH123 (as above)
        os.write(descriptor, program.read())
    arguments = (ctypes.c_char_p * 2)(b"true", None)
    call("execveat", descriptor, b"", arguments, None, AT_EMPTY_PATH)


@shut_by("seccomp")
def make_an_anonymous_file(_: Outside) -> None:
    call("memfd_create", b"door", 0)


@shut_by("seccomp")
def make_memory_executable(_: Outside) -> None:
    mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close()


@shut_by("seccomp")
def make_memory_executable_later(_: Outside) -> None:
    memory = mmap.mmap(-1, 4096)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    require(LIBC.mprotect(ctypes.c_void_p(address), 4096, mmap.PROT_READ | mmap.PROT_EXEC))


@shut_by("seccomp")
def make_memory_executable_by_key(_: Outside) -> None:
    memory = mmap.mmap(-1, 4096)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    call("pkey_mprotect", ctypes.c_void_p(address), 4096, mmap.PROT_READ | mmap.PROT_EXEC, -1)


@shut_by("seccomp")
def make_all_memory_executable(_: Outside) -> None:
    read_implies_exec = 0x0400000
    require(LIBC.personality(read_implies_exec))
