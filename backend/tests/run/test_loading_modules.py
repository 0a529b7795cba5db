"""Modules are loaded without looks for garbage, which are made again afterwards."""

import subprocess
import sys

PROGRAM = """
import gc
from jitterscope.loading import loading_modules

looks = []
gc.callbacks.append(lambda phase, _: looks.append(phase))
with loading_modules():
    import jitterscope.settings
assert looks == [], len(looks)
assert gc.isenabled()
assert gc.get_freeze_count() > 10_000
kept = [[] for _ in range(100_000)]
assert looks
"""


def test_no_garbage_is_looked_for_among_modules() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
