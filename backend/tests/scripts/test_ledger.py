"""What attacks hold against the product: an upload without an answer may still happen, a refused one not."""

import contextlib
import importlib
from pathlib import Path
from types import ModuleType

import pytest

TORTURE = Path(__file__).resolve().parents[3] / "torture"


@pytest.fixture
def ledger(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(TORTURE)
    return importlib.import_module("ledger")


@pytest.mark.parametrize(("has_answer", "is_gone"), [(True, True), (False, False)])
def test_what_was_deleted_is_gone_unless_an_upload_has_no_answer_yet(
    ledger: ModuleType, has_answer: bool, is_gone: bool
) -> None:
    book = ledger.Ledger()
    with contextlib.suppress(ConnectionError), book.sending(b"bytes", 0) as answered:
        if not has_answer:
            raise ConnectionError
        answered(None)
    with book.sending(b"bytes", 0) as answered:
        answered("id")
    (account,) = book.accounts()
    assert account.is_owed
    with book.deleting(account) as acknowledge:
        acknowledge()
    assert account.is_gone is is_gone
    assert not account.is_owed
