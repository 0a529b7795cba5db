"""The embedded PostgreSQL as a part of the service."""

from jitterscope.embedded import EmbeddedPostgres, EmbeddedPostgresError
from jitterscope.embedded.log_file import end_of_log
from jitterscope.run.signs_of_life import SignsOfLife, is_waiting_for_disk
from jitterscope.run.supervisor import PartError


class DatabasePart:
    """Restarts the server in its folder; its clients find it under the same address again."""

    name = "PostgreSQL"

    def __init__(self, server: EmbeddedPostgres, signs: SignsOfLife) -> None:
        """The server runs already."""
        self._server = server
        self._signs = signs
        signs.begin()

    def start(self) -> None:
        """Starts the server again.

        Raises: PartError if it does not come up.
        """
        self._signs.begin()
        try:
            self._server.restart()
        except EmbeddedPostgresError as error:
            raise PartError(str(error)) from error

    def exit_code(self) -> int | None:
        return self._server.exit_code()

    def end_if_hung(self) -> bool:
        """Whether it was killed, because it accepted no connection for too long. Nothing is lost by it."""
        if self.exit_code() is not None or not self._signs.are_missing():
            return False
        return not is_waiting_for_disk(self._server.pid) and self._server.kill()

    def end_of_log(self) -> str:
        return end_of_log(self._server.log_path)
