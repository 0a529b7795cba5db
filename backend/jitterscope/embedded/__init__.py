"""A real PostgreSQL that the application starts and stops itself."""

from jitterscope.embedded.errors import EmbeddedPostgresError
from jitterscope.embedded.server import EmbeddedPostgres

__all__ = ["EmbeddedPostgres", "EmbeddedPostgresError"]
