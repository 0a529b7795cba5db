"""As whom PostgreSQL runs: it refuses to be root, which is what a container often is."""

import os
import subprocess
import sys
from enum import StrEnum
from pathlib import Path

from jitterscope.embedded import launch


class Identity(StrEnum):
    """The ways to start a server, as `launch` knows them."""

    SAME = "same"
    NAMESPACE = "namespace"
    NOBODY = "nobody"

    @property
    def owner(self) -> int:
        """The uid, seen from here, that must own what the server writes."""
        return launch.NOBODY if self is Identity.NOBODY else os.geteuid()

    def command(self, program: Path, *arguments: str) -> list[str]:
        """The command that runs `program` under this identity, as a child of this process."""
        launcher = [sys.executable, "-I", "-S", launch.__file__]
        return [*launcher, self.value, str(os.getpid()), str(program), *arguments]

    def can_run(self, program: Path) -> bool:
        """Whether this machine allows it: containers may forbid namespaces, nobody may lack access."""
        done = subprocess.run(
            self.command(program, "--version"), capture_output=True, check=False, timeout=30
        )
        return done.returncode == 0


def candidates() -> tuple[Identity, ...]:
    """The identities to try, the best first."""
    if os.geteuid() != 0:
        return (Identity.SAME,)
    return (Identity.NAMESPACE, Identity.NOBODY)
