"""A start that cannot work: one sentence with the way out, exit code 1, and no traceback."""

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest


def check(command: list[str], environment: dict[str, str], *sentences: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "jitterscope", *command],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 1, said
    assert "Traceback" not in said
    for sentence in sentences:
        assert sentence in said


@pytest.mark.parametrize("command", ["run", "api", "worker", "migrate"])
def test_a_bad_setting(command: str, tmp_path: Path) -> None:
    environment = {"JITTERSCOPE_DATA": str(tmp_path / "data")}
    check([command], environment | {"JITTERSCOPE_PROT": "1"}, "JITTERSCOPE_PORT?")
    check(
        [command],
        environment | {"JITTERSCOPE_PORT": "0"},
        "JITTERSCOPE_PORT is '0'",
        "greater than or equal to 1",
    )


@pytest.mark.parametrize("command", ["run", "api", "worker"])
def test_a_data_folder_that_cannot_be_written(command: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for folder in (file, file / "data", Path("/proc/data")):
        check(
            [command],
            {"JITTERSCOPE_DATA": str(folder)},
            f"the data folder {folder} cannot be written",
            "--data",
        )


@pytest.mark.parametrize("command", ["run", "api"])
def test_a_front_end_that_is_not_there(command: str, tmp_path: Path) -> None:
    environment = {"JITTERSCOPE_DATA": str(tmp_path / "data"), "JITTERSCOPE_FRONTEND": str(tmp_path / "none")}
    check([command], environment, f"{tmp_path / 'none'} holds no built front end", "JITTERSCOPE_FRONTEND")


def test_a_schema_of_an_early_version(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0008_buffers'")
    check(
        ["migrate"],
        {"DATABASE_URL": database_url},
        "'0008_buffers'",
        "Nothing is lost",
        "from commit 8044c1e",
    )


@pytest.mark.parametrize("command", ["api", "worker", "migrate"])
def test_a_schema_of_a_newer_version(command: str, database_url: str, tmp_path: Path) -> None:
    with psycopg.connect(database_url) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999_later'")
    environment = {"DATABASE_URL": database_url, "JITTERSCOPE_DATA": str(tmp_path)}
    check([command], environment, "'9999_later'", "newer Jitterscope", "Start that version")
