"""Where the files are that come with the program and are no Python: in its wheel, or in the repository."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
REPOSITORY = _PACKAGE.parents[1]


def shipped_folder(name: str) -> Path:
    """The folder `migrations`, `sample_traces` or `frontend/dist`.

    In a checkout, that of the repository; else the copy that the build has put into the package.
    """
    if (REPOSITORY / "backend" / "pyproject.toml").is_file():
        return REPOSITORY / name
    return _PACKAGE / "_shipped" / name
