"""A real PostgreSQL that the application starts and stops itself."""

from jitterscope.embedded.errors import EmbeddedPostgresError
from jitterscope.embedded.server import EmbeddedPostgres, running_url

# The one that the service uses of its own server.
DATABASE = "jitterscope"

__all__ = ["DATABASE", "EmbeddedPostgres", "EmbeddedPostgresError", "running_url"]
