"""Parts of the kernel that have a history of holes, and ways to undo what was done."""

import contextlib
import ctypes
import errno
import fcntl
import os
import socket
import struct

from tests.ingest.doors.door import LIBC, Outside, call, require, shut_by

CLONE_NEWUSER = 0x1000_0000
SHARED_KEY = 0x646F6F72


@shut_by("seccomp")
def undo_the_filter(_: Outside) -> None:
    # Mode 0 never was a way back; another filter can at least be tried.
    program = struct.pack("HxxxxxxQ", 0, 0)
    set_mode_filter = 1
    try:
        call("seccomp", set_mode_filter, 0, program)
    except OSError as error:
        # The program is empty, which is what is wrong with it where the call is open.
        if error.errno != errno.EINVAL:
            raise


@shut_by("seccomp")
def make_a_user_namespace(_: Outside) -> None:
    call("unshare", CLONE_NEWUSER)


@shut_by("seccomp")
def enter_the_namespace_of_the_parent(_: Outside) -> None:
    descriptor = call("pidfd_open", os.getppid(), 0)
    clone_newuts = 0x0400_0000
    call("setns", descriptor, clone_newuts)


@shut_by("seccomp", "empty root", "Landlock")
def mount_a_file_system(outside: Outside) -> None:
    call("unshare", 0x0002_0000)
    require(LIBC.mount(b"tmpfs", outside["folder"].encode(), b"tmpfs", 0, None))


@shut_by("seccomp", "empty root")
def change_the_root(_: Outside) -> None:
    os.chroot("/tmp")  # noqa: S108 (any folder)


@shut_by()
def make_a_file_system(_: Outside) -> None:
    os.close(call("fsopen", b"tmpfs", 0))


@shut_by()
def name_the_machine(_: Outside) -> None:
    socket.sethostname(socket.gethostname())


@shut_by("seccomp")
def read_the_log_of_the_kernel(_: Outside) -> None:
    size_of_the_buffer = 10
    call("syslog", size_of_the_buffer, None, 0)


@shut_by("seccomp")
def call_by_the_numbers_of_x32(_: Outside) -> None:
    call("x32_getpid")


@shut_by()
def change_the_user(_: Outside) -> None:
    os.setresuid(12345, 12345, 12345)


@shut_by("seccomp")
def make_a_ring(_: Outside) -> None:
    call("io_uring_setup", 1, ctypes.create_string_buffer(120))


@shut_by("seccomp")
def make_a_queue_of_io(_: Outside) -> None:
    call("io_setup", 1, ctypes.byref(ctypes.c_ulong()))


@shut_by("seccomp")
def load_a_program_into_the_kernel(_: Outside) -> None:
    map_create = 0
    call("bpf", map_create, ctypes.create_string_buffer(struct.pack("IIII", 2, 4, 4, 1), 72), 72)


@shut_by("seccomp")
def count_events_of_the_processor(_: Outside) -> None:
    software, size = 1, 112
    attributes = ctypes.create_string_buffer(struct.pack("IIQ", software, size, 0), size)
    call("perf_event_open", attributes, 0, -1, -1, 0)


@shut_by("seccomp")
def keep_a_key(_: Outside) -> None:
    call("add_key", b"user", b"door", b"x", 1, -3)


@shut_by("seccomp")
def share_memory(_: Outside) -> None:
    call("shmget", SHARED_KEY, 4096, 0o1666)


@shut_by("seccomp")
def queue_messages(_: Outside) -> None:
    call("msgget", SHARED_KEY, 0o1666)


@shut_by("seccomp")
def share_semaphores(_: Outside) -> None:
    call("semget", SHARED_KEY, 1, 0o1666)


@shut_by("seccomp")
def open_a_message_queue(_: Outside) -> None:
    call("mq_open", b"door", os.O_RDWR | os.O_CREAT, 0o666, None)


@shut_by("seccomp")
def catch_faults(_: Outside) -> None:
    call("userfaultfd", 0)


@shut_by("seccomp")
def hide_memory(_: Outside) -> None:
    call("memfd_secret", 0)


@shut_by("seccomp")
def talk_to_a_device(outside: Outside) -> None:
    fionread = 0x541B
    fcntl.ioctl(outside["output"], fionread, bytes(4))


def remove_what_is_shared() -> None:
    """What the doors that were open have left in the kernel."""
    remove, key = 0, SHARED_KEY
    with contextlib.suppress(OSError):
        call("shmctl", call("shmget", key, 0, 0), remove, None)
    with contextlib.suppress(OSError):
        call("msgctl", call("msgget", key, 0), remove, None)
    with contextlib.suppress(OSError):
        call("semctl", call("semget", key, 0, 0), 0, remove, 0)
    with contextlib.suppress(OSError):
        call("mq_unlink", b"door")
