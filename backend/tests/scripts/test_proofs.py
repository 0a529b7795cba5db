"""Which damage nobody can see: each rule holds for what it names, and for nothing near it."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest

TORTURE = Path(__file__).resolve().parents[3] / "torture"


@pytest.fixture
def proofs(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(TORTURE)
    return importlib.import_module("proofs")


ANNOTATED = b"""\
  <idle>-0  1d..h1.. 10us : local_timer_entry: vector=236 <==== tick interrupt comes.
  <idle>-0  1d..h2.. 18us : hrtimer_cancel: hrtimer=2ad8bc6a
  <idle>-0  1d..h2.. 19us : sched_waking: comm=rt pid=9
  <idle>-0  1d..h2.. 20us : sched_switch: next_pid=9 <==== switch to the process
"""


@pytest.mark.parametrize(
    ("note", "is_proved"),
    [
        (b"<==== tick process", True),
        (b"<==== tick inter, 2ad8bc6a", True),
        (b"<==== tick interrupt hrtimer=2ad8bc6a", False),
        (b"<==== switch to the process", False),
        (b"<==== tick: sched_waking: comm", False),
        (b"pid=9", False),
    ],
)
def test_a_person_may_have_written_another_note_in_words(
    proofs: ModuleType, note: bytes, is_proved: bool
) -> None:
    _, _, third, fourth = ANNOTATED.splitlines(keepends=True)
    first = b"  <idle>-0  1d..h1.. 10us : local_timer_entry: vector=236 " + note + b"\n"
    for rest in (third + fourth, fourth, third):
        assert (proofs.proof_of_fewer(ANNOTATED, first + rest) == proofs.OTHER_NOTE) is is_proved


def test_a_record_before_another_note_is_whole(proofs: ModuleType) -> None:
    changed = ANNOTATED.replace(b"vector=236", b"vector=23").replace(b"comes.\n", b"")
    assert proofs.proof_of_fewer(ANNOTATED, changed) is None
