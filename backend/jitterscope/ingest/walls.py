"""What keeps the confined child from the rest of this machine, which depends on the kernel."""

import asyncio
from collections.abc import Sequence

from pydantic import TypeAdapter

from jitterscope.ingest.confined_child import ChildLimits, ConfinedChild

_LIMITS = ChildLimits(memory_bytes=512 << 20, cpu_seconds=5, file_bytes=0)
_WALLS = TypeAdapter(list[str])
_KINDS = ("own network", "empty root", "Landlock", "seccomp")


async def standing_walls() -> list[str]:
    """The walls around a confined child on this machine, as it states them itself.

    Raises: ChildFailed.
    """
    async with ConfinedChild("state_walls", {}, {}, _LIMITS) as child:
        return await child.answer(_WALLS)


class Walls:
    """The same, looked at once: they do not change while a process lives."""

    def __init__(self) -> None:
        self._standing: asyncio.Task[list[str]] | None = None

    async def standing(self) -> list[str]:
        """As `standing_walls`. Raises: ChildFailed."""
        if self._standing is None or (self._standing.done() and self._standing.exception() is not None):
            self._standing = asyncio.create_task(standing_walls())
        return await asyncio.shield(self._standing)


def missing_walls(walls: Sequence[str]) -> list[str]:
    """The kinds of walls that are not among these."""
    return [kind for kind in _KINDS if not any(wall.startswith(kind) for wall in walls)]


def describe_walls(walls: Sequence[str]) -> str:
    """A sentence for the person who starts the service."""
    missing = missing_walls(walls)
    if not walls:
        return (
            "WARNING: this machine offers nothing to confine the process that reads uploaded files "
            f"({', '.join(missing)}); upload only files that you trust"
        )
    sentence = f"Uploaded files are read by a confined process ({', '.join(walls)})"
    if missing:
        sentence += f"; this machine does not offer: {', '.join(missing)}"
    return sentence
