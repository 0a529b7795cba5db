"""The web server multiplies matrices in the thread of the question, and in no threads of BLAS beside it."""

import os
import subprocess
import sys

PROGRAM = """
import os, sys
import jitterscope.settings
from jitterscope import cli

jitterscope.settings.read_settings = sys.exit
try:
    cli.api()
except SystemExit:
    pass
assert "numpy" in sys.modules
threads = os.listdir("/proc/self/task")
assert len(threads) == 1, threads
"""


def test_blas_has_no_threads() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
