"""Hostile code for the inside of the confined child: every way out of it that we know.

`python -m tests.ingest.doors` tries them; see `__main__`.
"""

from tests.ingest.doors import files, kernel, network, processes, programs
from tests.ingest.doors.door import DOORS

__all__ = ["DOORS", "files", "kernel", "network", "processes", "programs"]
