"""When a new installation gets its sample traces, and when it does not."""

from pathlib import Path

import pytest

from jitterscope.run.samples import upload_samples

NOBODY = "http://127.0.0.1:1"


def test_a_moved_store_gets_no_samples(tmp_path: Path) -> None:
    store, marker = tmp_path / "store", tmp_path / "samples-loaded"
    (store / "ab").mkdir(parents=True)
    (store / "ab" / ("ab" * 32)).write_bytes(b"a recording")
    assert list(upload_samples(NOBODY, marker, store)) == []
    assert marker.read_text() == ""


def test_samples_that_were_begun_are_sent_again_at_the_next_start(tmp_path: Path) -> None:
    store, marker = tmp_path / "store", tmp_path / "samples-loaded"
    (store / "ab").mkdir(parents=True)
    for _ in range(2):
        with pytest.raises(OSError, match="refused"):
            list(upload_samples(NOBODY, marker, store))
        (store / "ab" / ("ab" * 32)).write_bytes(b"the first sample")


def test_samples_are_sent_once(tmp_path: Path) -> None:
    marker = tmp_path / "samples-loaded"
    marker.touch()
    assert list(upload_samples(NOBODY, marker, tmp_path / "store")) == []
