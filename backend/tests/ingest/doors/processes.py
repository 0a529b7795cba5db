"""Other processes, first of all the parent, and the own standing among them."""

import ctypes
import errno
import fcntl
import mmap
import os
import resource
import signal
import struct

from tests.ingest.doors.door import LIBC, Outside, call, require, shut_by

PTRACE_SEIZE = 0x4206
F_SETSIG = 10
WORD = ctypes.create_string_buffer(8)


@shut_by("seccomp", "Landlock")
def signal_the_parent(_: Outside) -> None:
    os.kill(os.getppid(), 0)


@shut_by("seccomp")
def signal_everybody(_: Outside) -> None:
    os.kill(-1, 0)


@shut_by("seccomp", "Landlock")
def signal_the_parent_by_descriptor(_: Outside) -> None:
    call("pidfd_send_signal", call("pidfd_open", os.getppid(), 0), 0, None, 0)


@shut_by("seccomp", "Landlock")
def take_a_descriptor_of_the_parent(_: Outside) -> None:
    os.close(call("pidfd_getfd", call("pidfd_open", os.getppid(), 0), 0, 0))


@shut_by("seccomp")
def signal_everybody_of_the_group(_: Outside) -> None:
    os.killpg(os.getpgrp(), 0)


@shut_by("seccomp", "Landlock")
def signal_a_thread_of_the_parent(_: Outside) -> None:
    call("tgkill", os.getppid(), os.getppid(), 0)


@shut_by("seccomp", "Landlock")
def queue_a_signal_for_the_parent(_: Outside) -> None:
    information = ctypes.create_string_buffer(struct.pack("iii", 0, 0, -1), 128)
    call("rt_sigqueueinfo", os.getppid(), 0, information)


@shut_by("seccomp")
def hold_the_parent(_: Outside) -> None:
    os.close(call("pidfd_open", os.getppid(), 0))


@shut_by("seccomp")
def signal_the_parent_through_a_file(outside: Outside) -> None:
    fcntl.fcntl(outside["output"], fcntl.F_SETOWN, os.getppid())
    fcntl.fcntl(outside["output"], F_SETSIG, signal.SIGCONT)


@shut_by("seccomp", "Landlock")
def trace_the_parent(_: Outside) -> None:
    call("ptrace", PTRACE_SEIZE, os.getppid(), 0, 0)


@shut_by("seccomp")
def let_others_trace_this(_: Outside) -> None:
    call("ptrace", 0, 0, 0, 0)


@shut_by("seccomp", "Landlock")
def read_the_parent(_: Outside) -> None:
    _copy_of_the_parent("process_vm_readv")


@shut_by("seccomp", "Landlock")
def write_the_parent(_: Outside) -> None:
    _copy_of_the_parent("process_vm_writev")


def _copy_of_the_parent(name: str) -> None:
    # A fork has the same addresses.
    vector = struct.pack("QQ", ctypes.addressof(WORD), 8)
    call(name, os.getppid(), vector, 1, vector, 1, 0)


@shut_by("seccomp")
def compare_with_the_parent(_: Outside) -> None:
    call("kcmp", os.getpid(), os.getppid(), 0, 0, 0)


@shut_by("seccomp")
def change_limits_of_the_parent(_: Outside) -> None:
    resource.prlimit(os.getppid(), resource.RLIMIT_CORE, (0, 0))


@shut_by()
def lift_the_own_limits(_: Outside) -> None:
    for limit in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE):
        resource.setrlimit(limit, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


@shut_by()
def take_more_memory(outside: Outside) -> None:
    mmap.mmap(-1, outside["spec"]["memory_bytes"]).close()


@shut_by()
def leave_a_core_file(_: Outside) -> None:
    # What core_pattern hands to a program does not mind the limit on core files.
    pr_get_dumpable, no = 3, 0
    if LIBC.prctl(pr_get_dumpable, 0, 0, 0, 0) == no:
        raise PermissionError(errno.EPERM, "not dumpable")


@shut_by("seccomp")
def change_the_order_of_the_parent(_: Outside) -> None:
    os.setpriority(os.PRIO_PROCESS, os.getppid(), os.getpriority(os.PRIO_PROCESS, os.getppid()))


@shut_by("seccomp")
def outlive_the_parent(_: Outside) -> None:
    pr_set_pdeathsig = 1
    require(LIBC.prctl(pr_set_pdeathsig, 0, 0, 0, 0))


@shut_by("seccomp")
def leave_the_session(_: Outside) -> None:
    os.setsid()
