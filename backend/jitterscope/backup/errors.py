"""What keeps a backup from being made, restored or checked."""


class BackupError(Exception):
    """Says what is in the way, and the way out."""
