"""The whole service on one machine, by one command."""

from jitterscope.run.service import run_service

__all__ = ["run_service"]
