"""The folders that must be there before anything starts."""

import tempfile
from pathlib import Path

from jitterscope.settings import Settings, SettingsError


def require_data_folder(settings: Settings) -> None:
    """Makes the folder if it is missing.

    Raises: SettingsError if it cannot be made or written.
    """
    folder = settings.data.absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise SettingsError(
            f"the data folder {folder} cannot be written: {_reason(error)}; "
            "choose another with --data or JITTERSCOPE_DATA, or give it to this user"
        ) from error


def require_front_end(settings: Settings) -> None:
    """Returns where the folder holds a front end, or none was named: then there is only the API.

    Raises: SettingsError.
    """
    folder: Path = settings.frontend
    if "frontend" in settings.model_fields_set and not (folder / "index.html").is_file():
        raise SettingsError(
            f"{folder.absolute()} holds no built front end, for it has no index.html; "
            "set JITTERSCOPE_FRONTEND to a folder that `make setup` has built, or leave it unset"
        )


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
