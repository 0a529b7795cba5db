"""Logs as one JSON object a line, with every string from outside escaped by the encoding."""

import logging
import sys

import structlog


def configure_logs(least: int = logging.INFO) -> None:
    """Send structlog's and the standard library's records to standard error in the same form.

    Of structlog's, those of the level `least` and above.
    """
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    # ASCII only, so that no escape sequence from a file reaches a terminal.
    as_line = structlog.processors.JSONRenderer(ensure_ascii=True)
    structlog.configure(
        processors=[*shared, as_line],
        # Past the standard library, which takes longer than all the rest of a line; each request writes one.
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        wrapper_class=structlog.make_filtering_bound_logger(least),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, as_line],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.INFO)
    logging.getLogger("procrastinate").setLevel(logging.WARNING)
    # It says which database it talks to whenever it is asked for the schema's version.
    logging.getLogger("alembic").setLevel(logging.WARNING)
    # Every request is logged by a middleware of ours.
    logging.getLogger("uvicorn.access").handlers = []
    logging.getLogger("uvicorn.access").propagate = False
