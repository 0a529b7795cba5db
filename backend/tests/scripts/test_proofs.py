"""Which damage nobody can see: each rule holds for what it names, and for nothing near it."""

import importlib
from pathlib import Path
from random import Random
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


OWN_EVENTS = b"""\
  <...>-6462  [006] d.h1 14.743617: irq_handler_entry: irq=3 name=arch_timer
  <...>-6462  [006] d.h1 14.743618: hrtimer_cb: hrtimer stat: now: 14 [us]
  <...>-6462  [006] d.h1 14.743619: own_event: 8 overruns
  <...>-6462  [006] d.h1 14.743625: irq_handler_exit: irq=3 ret=handled
"""


@pytest.mark.parametrize(
    ("text", "is_proved"),
    [
        (b"hrtimer_cb: hrtimer stat:ns", True),
        (b"hrtimer_cb: 8 overruns", False),
        (b"hrtimer_cb: hrtimer st: own_event: 8 overruns", False),
        (b"hrtimer_cb: hrtimer ret=handled", False),
        (b"irq_handler_entry: ins", False),
    ],
)
def test_an_event_without_fields_and_without_its_like_has_any_text(
    proofs: ModuleType, text: bytes, is_proved: bool
) -> None:
    first, _, _, last = OWN_EVENTS.splitlines(keepends=True)
    changed = first + b"  <...>-6462  [006] d.h1 14.743618: " + text + b"\n" + last
    assert (proofs.proof_of_fewer(OWN_EVENTS, changed) == proofs.OTHER_TEXT) is is_proved
    # With another record of the event, both would be seen to differ.
    other = OWN_EVENTS + b"  <...>-6462  [006] d.h1 14.743630: hrtimer_cb: hrtimer stat: now: 15 [us]\n"
    assert proofs.proof_of_fewer(other, changed + other.splitlines(keepends=True)[-1]) != proofs.OTHER_TEXT


@pytest.mark.parametrize(
    ("name", "is_proved"),
    [("v6-64k", True), ("v6-few", True), ("v6-graph", True), ("v6-many-pages", False), ("v6", False)],
)
def test_a_page_is_gone_unseen_only_where_nothing_counts_its_records(
    proofs: ModuleType, name: str, is_proved: bool
) -> None:
    trace_dat, mutations = (importlib.import_module(name) for name in ("trace_dat", "page_mutations"))
    page_proofs = importlib.import_module("page_proofs")
    original = next(trace_dat.build(layout) for layout in trace_dat.LAYOUTS if layout.name == name)
    changed = bytearray(original)
    mutations.lose_page_and_count_anew(Random(1), changed, b"")  # noqa: S311 (the same page)
    is_missed = page_proofs.proof_of_pages(original, bytes(changed)) is None
    assert is_missed is not is_proved
    # Another byte anywhere else is another matter.
    changed[1_000] ^= 1
    assert page_proofs.proof_of_pages(original, bytes(changed)) is None
    assert page_proofs.proof_of_pages(original, original + b"\0") is None
