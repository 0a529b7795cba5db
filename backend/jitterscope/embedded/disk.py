"""How the embedded PostgreSQL treats the disk: what it may write besides its tables, and how it recovers."""

import os
import re
import shutil
from pathlib import Path

_MIB = 1 << 20
# The log can pass its limit for as long as a checkpoint takes, so all of it together is a small part.
_LOG_PART, _TEMPORARY_PART = 16, 8
# Two segments of 16 MiB are the least that PostgreSQL accepts; with more than 2 GiB, loads get no faster.
_LEAST_LOG_MIB, _MOST_LOG_MIB = 32, 2048
# One statement sorts at most what a screen shows; more than that is a mistake.
_LEAST_TEMPORARY_MIB, _MOST_TEMPORARY_MIB = 64, 4096


def disk_settings(folder: Path) -> dict[str, str]:
    """Limits on the write-ahead log and temporary files, so that they leave free what uploads leave free.

    And the quickest safe way to recover.
    """
    return limits_for(shutil.disk_usage(folder).free) | recovery_for(os.uname().release)


def recovery_for(kernel_release: str) -> dict[str, str]:
    """How a server that was killed has all of its files on the disk before it replays its log.

    By default it calls fsync for each of a thousand files, which takes seconds on a busy disk. One syncfs for
    all takes a tenth of that. Linux before 5.8 does not report what fails then.
    Source: PostgreSQL's documentation, recovery_init_sync_method; syncfs(2).
    """
    found = re.match(r"(\d+)\.(\d+)", kernel_release)
    if found is None or (int(found[1]), int(found[2])) < (5, 8):
        return {}
    return {"recovery_init_sync_method": "syncfs"}


def limits_for(free_bytes: int) -> dict[str, str]:
    """How much of the free space the log of the server and the files of each of its processes may take.

    Settings of PostgreSQL by name, as its configuration spells them, in MB.
    """
    free_mib = free_bytes // _MIB
    log_mib = min(max(free_mib // _LOG_PART, _LEAST_LOG_MIB), _MOST_LOG_MIB)
    temporary_mib = min(max(free_mib // _TEMPORARY_PART, _LEAST_TEMPORARY_MIB), _MOST_TEMPORARY_MIB)
    return {
        "max_wal_size": f"{log_mib}MB",
        "min_wal_size": f"{max(log_mib // 4, _LEAST_LOG_MIB)}MB",
        # Of each process.
        "temp_file_limit": f"{temporary_mib}MB",
    }
