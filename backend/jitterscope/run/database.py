"""The embedded PostgreSQL as a part of the service."""

from jitterscope.embedded import EmbeddedPostgres, EmbeddedPostgresError
from jitterscope.embedded.log_file import end_of_log
from jitterscope.run.supervisor import PartError


class DatabasePart:
    """Restarts the server in its folder; its clients find it under the same address again."""

    name = "PostgreSQL"

    def __init__(self, server: EmbeddedPostgres) -> None:
        self._server = server

    def start(self) -> None:
        try:
            self._server.restart()
        except EmbeddedPostgresError as error:
            raise PartError(str(error)) from error

    def exit_code(self) -> int | None:
        return self._server.exit_code()

    def end_if_hung(self) -> bool:
        """Never: a server that hangs keeps its data, and is left for people to look at."""
        return False

    def end_of_log(self) -> str:
        return end_of_log(self._server.log_path)
