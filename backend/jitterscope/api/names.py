"""Names in the bodies of requests."""

from jitterscope.ingest.names import display_text
from jitterscope.problems import InvalidParameter


def shown_name(name: str) -> str:
    """The name as it is shown.

    Raises: InvalidParameter where nothing of it can be seen.
    """
    shown = display_text(name)
    if not shown:
        raise InvalidParameter("name", "has no visible character", location="body")
    return shown
