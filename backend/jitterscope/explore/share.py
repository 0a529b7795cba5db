"""How much of traces the question at work holds, which whoever counts questions wants to know."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Hold = Callable[[int], Awaitable[None]]
"""Called with the bytes of rows at hand before each turn of the core; returns once the question may go on."""

_HOLD: ContextVar[Hold | None] = ContextVar("hold", default=None)


@contextmanager
def counted_by(hold: Hold) -> Iterator[None]:
    """Within it, questions ask `hold` before they work on rows."""
    token = _HOLD.set(hold)
    try:
        yield
    finally:
        _HOLD.reset(token)


async def hold(size_bytes: int) -> None:
    """Waits until the question may work on so many bytes; at once where nobody counts.

    Raises: TooManyQuestions.
    """
    counting = _HOLD.get()
    if counting is not None:
        await counting(size_bytes)
