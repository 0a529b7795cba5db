"""Builds the wheel with all that the program needs to run: maturin, given the files from outside `backend/`.

For a wheel, the migrations, the sample traces and the built front end are copied into the package (see
`jitterscope.shipped`) while maturin packs it. An editable installation reads them where they are.
"""

import shutil
from pathlib import Path
from typing import Any

import maturin

# What build front ends also ask for is maturin's own.
from maturin import (
    build_editable,
    get_requires_for_build_editable,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_wheel,
)

prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

_BACKEND = Path(__file__).resolve().parent
_REPOSITORY = _BACKEND.parent
_SHIPPED = _BACKEND / "jitterscope" / "_shipped"
# Each folder, and a file without which it is not whole.
_FOLDERS = {
    "migrations": "env.py",
    "sample_traces": "samples.toml",
    "frontend/dist": "index.html",
}
# The licences of the packages that end up in the wheel; their texts have to go with them.
_NOTICES = _REPOSITORY / ".tools" / "THIRD-PARTY.txt"


def build_wheel(
    wheel_directory: str,
    config_settings: dict[str, Any] | None = None,  # Any: as PEP 517 has it
    metadata_directory: str | None = None,
) -> str:
    """The name of the wheel that was put into `wheel_directory`.

    Raises: FileNotFoundError if the front end or the notices have not been made.
    """
    try:
        for folder, file in _FOLDERS.items():
            _require(_REPOSITORY / folder / file)
            shutil.copytree(
                _REPOSITORY / folder,
                _SHIPPED / folder,
                ignore=shutil.ignore_patterns("__pycache__"),
                dirs_exist_ok=True,
            )
        _require(_NOTICES)
        shutil.copy(_NOTICES, _SHIPPED)
        name: str = maturin.build_wheel(wheel_directory, config_settings, metadata_directory)
        return name
    finally:
        shutil.rmtree(_SHIPPED, ignore_errors=True)


def build_sdist(sdist_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    """Refused: the folder of the Python package is only part of the program's source."""
    raise NotImplementedError("there are only wheels (uv build --wheel); the source is the repository")


def _require(file: Path) -> None:
    if not file.exists():
        raise FileNotFoundError(f"{file} is missing: run `make setup` first, which makes it")
