"""The random passwords of the embedded server's roles, each in a file that libpq reads itself."""

import os
import secrets
from pathlib import Path


class Passwords:
    """A folder that only this user may enter, with one pgpass file per role.

    An address names the file (`passfile=`), so that no password is in an environment or on a command
    line. Source of the format: PostgreSQL's documentation, "The Password File".
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def file(self, role: str) -> Path:
        return self._folder / role

    def read(self, role: str) -> str | None:
        """The role's password, or None if it has none yet."""
        try:
            line = self.file(role).read_text(encoding="ascii")
        except FileNotFoundError:
            return None
        # *:*:*:jitterscope:5f0c…
        return line.strip().rpartition(":")[2] or None

    def write(self, role: str, password: str) -> None:
        """Replaces the file at once, so that a killed run leaves the old password or the new one."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        unfinished = self.file(f"{role}.new")
        unfinished.unlink(missing_ok=True)
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(f"*:*:*:{role}:{password}\n")
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(self.file(role))

    def ensure(self, role: str) -> str:
        """The role's password, which is made if it has none."""
        password = self.read(role)
        if password is None:
            password = new_password()
            self.write(role, password)
        return password


def new_password() -> str:
    """Without any character that a password file or SQL would have to escape."""
    return secrets.token_hex(32)
