"""The documentation's tables are what the program prints."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from jitterscope.cli import app
from jitterscope.reference import TABLES

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("name", TABLES)
def test_the_table_of_the_page_is_what_the_program_prints(name: str) -> None:
    page = (DOCS / f"{name}.md").read_text()
    printed = CliRunner().invoke(app, ["reference", name]).output
    table = page[page.index("\n| ") + 1 :].split("\n\n")[0]
    assert table.strip() == printed.strip(), "run make reference"


def test_a_table_that_there_is_not_is_named_beside_those_that_there_are() -> None:
    answer = CliRunner().invoke(app, ["reference", "colours"])
    assert answer.exit_code == 2
    assert "there is no table of colours" in answer.output
