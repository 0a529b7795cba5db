"""Whether a worker lives, for whatever restarts the ones that do not.

A worker has no port to ask, so it touches a file after each answer of its database, and a second
process looks at the file's age.
"""

import time

from jitterscope.settings import Settings


def is_alive(settings: Settings) -> bool:
    """True where a worker has touched its file in the time after which others count it as hung."""
    if settings.worker_health_file is None:
        return False
    try:
        age_seconds = time.time() - settings.worker_health_file.stat().st_mtime
    except FileNotFoundError:
        return False
    return age_seconds <= settings.worker_silence_seconds
