"""Names that come from outside, made fit to be shown and to be sent in a header."""

import re
import unicodedata

_MAX_CHARACTERS = 200


def display_text(text: str) -> str:
    """The text on one line without characters that control a terminal or turn the reading direction."""
    kept = (c for c in text if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp"))
    return "".join(kept).strip()[:_MAX_CHARACTERS]


def display_filename(filename: str) -> str:
    """The last component of a path in any system's notation; `trace` where nothing is left of it."""
    return display_text(re.split(r"[/\\]", filename)[-1]) or "trace"


def name_from_filename(filename: str) -> str:
    """The filename without the endings that say how the file is stored: `spike.dat.zst` → `spike`."""
    return re.sub(r"(?i)(\.(dat|txt|trace|log|gz|xz|zst))+$", "", filename) or filename
