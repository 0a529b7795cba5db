"""Becomes another program that is never root and that stops when its parent dies.

    python -I -S launch.py <identity> <signal at its death> <pid of the parent> <program> [arguments]

A program of its own, not a `preexec_fn`: what runs between fork and exec in a process with
threads may deadlock, and this needs ctypes. Only the standard library, for a quick start.
"""

import ctypes
import os
import sys
from pathlib import Path

CLONE_NEWUSER = 0x10000000
PR_SET_PDEATHSIG = 1
NOBODY = 65534

libc = ctypes.CDLL(None, use_errno=True)


def check(result: int, what: str) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), what)


def enter_user_namespace() -> None:
    """Makes this process see itself, and all files of its user, as uid and gid 65534.

    To the rest of the system it is still the same user, so it can reach a data folder below a folder
    that only root may enter, and nothing has to change owner.
    """
    uid, gid = os.geteuid(), os.getegid()
    check(libc.unshare(CLONE_NEWUSER), "unshare")
    # Since Linux 3.19 a group map is accepted only after giving up setgroups(2).
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{NOBODY} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{NOBODY} {gid} 1")


def become_nobody() -> None:
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


IDENTITIES = {
    "same": lambda: None,
    "namespace": enter_user_namespace,
    "nobody": become_nobody,
}


def main() -> None:
    """Becomes the command of the arguments, under another identity; it ends when the parent does.

    Arguments: identity (`same`, `namespace`, `nobody`), number of the signal, pid of the parent, command.
    """
    identity, death_signal, parent, *command = sys.argv[1:]
    os.umask(0o077)
    IDENTITIES[identity]()
    # Last, since a change of identity clears it.
    check(libc.prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0), "prctl")
    if os.getppid() != int(parent):
        sys.exit("the parent is gone already")
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
