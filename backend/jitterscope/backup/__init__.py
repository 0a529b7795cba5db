"""Copies of everything that cannot be made again: the recordings, and what people said about them."""

from jitterscope.backup.errors import BackupError

__all__ = ["BackupError"]
