"""As whom PostgreSQL runs: it refuses to be root, which is what a container often is."""

import os
import signal
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

    def command(
        self, program: Path, *arguments: str, at_parents_death: signal.Signals = signal.SIGINT
    ) -> list[str]:
        """The command that runs `program` under this identity, as a child of this process.

        The signal is what it gets when this process dies; to PostgreSQL, SIGINT means: disconnect all,
        then stop.
        """
        launcher = [sys.executable, "-I", "-S", launch.__file__]
        ends = (str(int(at_parents_death)), str(os.getpid()))
        return [*launcher, self.value, *ends, str(program), *arguments]

    @property
    def description(self) -> str:
        """As whom that is, for a message."""
        return {
            Identity.SAME: "as this user",
            Identity.NAMESPACE: "in a user namespace",
            Identity.NOBODY: "as the user nobody",
        }[self]

    def refusal(self, program: Path) -> str | None:
        """Why this machine does not allow it, or None where it does.

        Containers may forbid namespaces, and nobody may lack access to a folder on the way.
        """
        done = subprocess.run(
            self.command(program, "--version"), capture_output=True, check=False, text=True, timeout=30
        )
        if done.returncode == 0:
            return None
        said = done.stderr.strip().splitlines()
        return f"{self.description}: {said[-1] if said else f'exit code {done.returncode}'}"


def candidates() -> tuple[Identity, ...]:
    """The identities to try, the best first."""
    if os.geteuid() != 0:
        return (Identity.SAME,)
    return (Identity.NAMESPACE, Identity.NOBODY)
