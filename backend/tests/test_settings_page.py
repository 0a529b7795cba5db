"""The documentation lists the settings that there are."""

from pathlib import Path

from typer.testing import CliRunner

from jitterscope.cli import app

PAGE = Path(__file__).resolve().parents[2] / "docs" / "settings.md"


def test_the_page_is_what_the_program_prints() -> None:
    printed = CliRunner().invoke(app, ["settings"]).output
    table = PAGE.read_text()[PAGE.read_text().index("| variable") :]
    assert table == printed, "run make settings"
