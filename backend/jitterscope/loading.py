"""Loading the program's modules without looking for garbage among them."""

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def loading_modules() -> Iterator[None]:
    """Around imports at the start of a process that runs for long.

    What they make stays as long as the process does. Looking through it again and again takes an eighth of
    the time until the web server answers, and of each full collection afterwards.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
