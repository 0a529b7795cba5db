"""What an attack is, and what comes out of one."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
SAMPLES = REPOSITORY / "sample_traces"


@dataclass(frozen=True)
class Extent:
    """How much of an attack to run. `seed` makes every run the same; another one tries other inputs."""

    is_long: bool
    seed: int

    def pick(self, short: int, long: int) -> int:
        return long if self.is_long else short


@dataclass
class Outcome:
    """What was tried and what broke. One failure fails the run; figures are printed either way."""

    tried: int = 0
    failures: list[str] = field(default_factory=list)
    figures: list[tuple[str, str]] = field(default_factory=list)

    def require(self, *, holds: bool, otherwise: str) -> None:
        if not holds:
            self.failures.append(otherwise)


@dataclass(frozen=True)
class Attack:
    """One way to break the product. `promise` is the sentence that a failure shows to be false."""

    name: str
    promise: str
    run: Callable[[Extent], Outcome]
    # Attacks that take minutes by nature run only with --long.
    is_only_long: bool = False
