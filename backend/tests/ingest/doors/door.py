"""What a door is, and the system calls behind it."""

import ctypes
import os
import platform
from collections.abc import Callable
from typing import Any

LIBC = ctypes.CDLL(None, use_errno=True)
IS_X86 = platform.machine() == "x86_64"
# Numbers of asm/unistd_64.h and asm-generic/unistd.h; those from 424 on are the same everywhere.
CALLS = {
    "clone": (56, 220),
    "execve": (59, 221),
    "execveat": (322, 281),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "add_key": (248, 217),
    "keyctl": (250, 219),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "shmctl": (31, 195),
    "msgctl": (71, 187),
    "semctl": (66, 191),
    "seccomp": (317, 277),
    "unshare": (272, 97),
    "setns": (308, 268),
    "userfaultfd": (323, 282),
    "kcmp": (312, 272),
    "inotify_init1": (294, 26),
    "memfd_create": (319, 279),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "io_setup": (206, 0),
    "name_to_handle_at": (303, 264),
    "pkey_mprotect": (329, 288),
    "splice": (275, 76),
    "syslog": (103, 116),
    # Of the table for 32-bit pointers, which to a filter is the same architecture (asm/unistd_x32.h).
    "x32_getpid": (0x4000_0000 | 39, 0x4000_0000 | 39),
}
SAME_EVERYWHERE = {
    "pidfd_send_signal": 424,
    "io_uring_setup": 425,
    "open_tree": 428,
    "fsopen": 430,
    "pidfd_open": 434,
    "clone3": 435,
    "openat2": 437,
    "pidfd_getfd": 438,
    "landlock_create_ruleset": 444,
    "memfd_secret": 447,
}

Outside = dict[str, Any]  # what there is to reach, as it came out of the JSON of the command line
Door = Callable[[Outside], object]

# Each door with the walls that shut it, every one of them alone. One without any is shut by the child's
# limits, its lack of capabilities, and its closing of descriptors.
DOORS: dict[str, tuple[Door, set[str]]] = {}


def shut_by(*walls: str) -> Callable[[Door], Door]:
    """Adds a door to the list. It returns if it was open, and raises OSError if not."""

    def add(door: Door) -> Door:
        DOORS[door.__name__] = (door, set(walls))
        return door

    return add


def number_of(name: str) -> int:
    return SAME_EVERYWHERE.get(name) or CALLS[name][0 if IS_X86 else 1]


def call(name: str, *arguments: object) -> int:
    # An int would leave the upper half of its word on the stack to chance.
    words = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    result = int(LIBC.syscall(ctypes.c_long(number_of(name)), *words))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def require(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
