"""Locks on open files and folders, which the kernel releases when their holder dies."""

import fcntl


def try_lock(descriptor: int) -> bool:
    """False where another holds the lock; true, too, where the file system has no locks.

    Some network file systems cannot lock, at least not a folder. What a lock protects here can be done
    twice; not doing it at all would be worse.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
