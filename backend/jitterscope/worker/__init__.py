"""The process that loads traces."""

from jitterscope.worker.run import main

__all__ = ["main"]
