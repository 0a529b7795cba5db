"""Every sample trace still says what it said, through upload, worker and database.

`make bless` rewrites the summaries beside this file; read the diff before it is committed.
"""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from jitterscope.embedded import EmbeddedPostgres
from jitterscope.run.samples import SAMPLES, Sample, list_samples
from tests.api.service import Service, shared_service
from tests.goldens.summary import summary_lines

MOST_LINES = 200


@pytest.fixture(scope="module")
def service(postgres: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with one worker for all samples."""
    with shared_service(postgres, tmp_path_factory, "goldens") as service:
        yield service


def test_every_sample_is_described() -> None:
    files = {path.name for path in SAMPLES.iterdir() if path.suffix not in {".toml", ".md"}}
    assert {sample.path.name for sample in list_samples()} == files


@pytest.mark.parametrize("sample", [*list_samples()], ids=lambda sample: sample.path.name)
def test_summary(sample: Sample, service: Service, request: pytest.FixtureRequest) -> None:
    trace_id = service.ready(sample.path.read_bytes(), sample.path.name)
    trace = service.wait(trace_id)
    with psycopg.connect(service.settings.conninfo) as connection:
        lines = list(summary_lines(trace, connection))
    assert len(lines) <= MOST_LINES
    golden = Path(__file__).parent / f"{sample.path.name}.golden"
    text = "\n".join(lines) + "\n"
    if request.config.getoption("--bless"):
        golden.write_text(text)
    assert text == golden.read_text(), "if this is better than before: make bless, and read the diff"
