"""The plug-in of pytest, in a pytest of its own."""

import subprocess
import sys
from pathlib import Path

from jitterscope.run.samples import SAMPLES

LOADED = SAMPLES / "cyclictest-load-6.12-rt.txt.zst"
RULES = "\n".join(
    f'[[check]]\nkind = "{kind}"\nstat = "max"\nop = "<="\nvalue = "{value}"\n'
    for kind, value in (("wakeup", "1s"), ("wakeup", "50us"), ("hwlat", "1s"))
)


def pytest_run(folder: Path, *arguments: str, rules: str = RULES) -> tuple[int, str]:
    (folder / "rules.toml").write_text(rules, "utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", "utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA", *arguments]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return ended.returncode, ended.stdout + ended.stderr


def test_each_check_of_each_recording_is_a_test(tmp_path: Path) -> None:
    (tmp_path / "spike.dat").write_bytes(LOADED.read_bytes())
    (tmp_path / "none.dat").write_text("nothing of the kind")
    arguments = ["--jitterscope-rules", "rules.toml", "--junitxml", "out.xml", "spike.dat", "none.dat"]
    status, told = pytest_run(tmp_path, *arguments)
    assert status == 1
    assert "1 passed, 5 failed" in told.replace("5 failed, 1 passed", "1 passed, 5 failed")
    assert "PASSED spike.dat::wakeup max <= 1s" in told
    assert "FAILED spike.dat::wakeup max <= 50us" in told
    # What cannot be decided is no success, and the reason is a sentence.
    assert "FAILED spike.dat::hwlat max <= 1s" in told
    assert "above the limit of 50 µs" in told
    assert "Traceback" not in told
    assert 'name="ns" value="' in (tmp_path / "out.xml").read_text("utf-8")


def test_a_test_that_records_checks_what_it_recorded(tmp_path: Path) -> None:
    (tmp_path / "test_board.py").write_text(
        f"def test_kept(jitterscope_check):\n    jitterscope_check({str(LOADED)!r})\n", "utf-8"
    )
    assert pytest_run(tmp_path, "--jitterscope-rules", "rules.toml", rules=RULES.split("\n\n")[0])[0] == 0
    status, told = pytest_run(tmp_path, "--jitterscope-rules", "rules.toml")
    assert (status, "LatencyFailure: wakeup max <= 50us: failed" in told) == (1, True)


def test_without_rules_it_does_nothing(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("def test_a(): pass\n", "utf-8")
    (tmp_path / "spike.dat").write_bytes(LOADED.read_bytes())
    status, told = pytest_run(tmp_path)
    assert (status, "1 passed" in told) == (0, True)
    status, told = pytest_run(
        tmp_path, "--jitterscope-rules", "rules.toml", "spike.dat", rules="nonsense = 1"
    )
    assert (status, "there are only tables [[check]]" in told) == (4, True)
