"""What can go wrong with the embedded server, in words for the person who started it."""


class EmbeddedPostgresError(Exception):
    """The embedded PostgreSQL cannot run here; the message says why and what to do."""
