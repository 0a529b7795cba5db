"""Looking at a trace takes precedence over loading one."""

import os
import time
from pathlib import Path

NICENESS = 10
# Of several processes that ask for it at once all but one fail and try again, after a tenth of a second.
_TRIES = 5
_SECONDS_BETWEEN_TRIES = 0.11


def stand_back() -> None:
    """Makes this process, and the parsing children that it starts, give way to others of the machine.

    Where the kernel schedules sessions as groups ("autogroup" in sched(7)), the niceness of a process counts
    only within its session, and a worker that `run` started leads one of its own: so the session gets the
    same niceness.
    """
    os.nice(NICENESS)
    if os.getsid(0) != os.getpid():
        # The session belongs to a terminal, whose user decides about it.
        return
    for _ in range(_TRIES):
        try:
            Path("/proc/self/autogroup").write_text(str(NICENESS), encoding="ascii")
        except BlockingIOError:
            time.sleep(_SECONDS_BETWEEN_TRIES)
        except OSError:
            # A kernel without such groups.
            return
        else:
            return
