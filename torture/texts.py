"""Texts to damage: the samples, a layout of each kind, and recordings of a folder of one's own."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from attack import REPOSITORY, SAMPLES
from importing import Imported, Input, import_each

LAYOUTS = REPOSITORY / "torture" / "layouts"
# A folder of more recordings to damage, searched with its subfolders. It is taken out of the environment,
# where the product would look for a setting of this name.
TRACES = os.environ.pop("JITTERSCOPE_TORTURE_TRACES", None)
# Recordings are shortened, so that thousands of their mutants are read in minutes.
MAX_BYTES = 24 << 10

# `# entries-in-buffer/entries-written: 140080/250280   #P:4`, `# latency: 139 us, #115/116, CPU#0 | ...`
_ANNOUNCED = re.compile(
    rb"(?m)^# *(?:entries-in-buffer/entries-written: |latency: \d+ us, #)(?P<kept>\d+)/(?P<written>\d+)"
)


@dataclass(frozen=True)
class Text:
    """A recording in which nothing is missing, and what the core makes of it."""

    name: str
    content: bytes
    imported: Imported

    @property
    def is_counted(self) -> bool:
        """Whether it says how many entries it has."""
        return is_counted(self.content)


def is_counted(content: bytes) -> bool:
    """Whether a header announces entries. That of an empty buffer is no announcement, for tools print it
    above what they stream."""
    return any(int(match["written"]) > 0 for match in _ANNOUNCED.finditer(content))


def whole_texts() -> list[Text]:
    """Every text, shortened, with a header that announces what is left."""
    contents = dict(_contents())
    shortened = {name: _shortened(content) for name, content in contents.items()}
    texts = []
    for imported in import_each(Input(name, partial(bytes, content)) for name, content in shortened.items()):
        content = _with_count(shortened[imported.name], imported)
        texts.append((imported.name, content))
    whole = import_each(Input(name, partial(bytes, content)) for name, content in texts)
    return [
        Text(name, content, imported)
        for (name, content), imported in zip(texts, whole, strict=True)
        if imported.outcome == "ready" and imported.record_count > 0 and _is_whole(imported)
    ]


def _is_whole(imported: Imported) -> bool:
    """Whether all of the text is a recording: no prose between the lines that nobody could tell from damage,
    no header that announces other entries, and no wrapping around it."""
    is_unwrapped = imported.expanded_bytes == imported.size_bytes
    return is_unwrapped and not {"unparsed_lines", "header_mismatch"} & imported.problems.keys()


def _contents() -> Iterator[tuple[str, bytes]]:
    folders = [SAMPLES, LAYOUTS]
    if TRACES:
        folders.append(Path(TRACES))
    for folder_path in folders:
        for path in sorted(folder_path.rglob("*")):
            if path.is_file() and (content := _expanded(path)) is not None and _is_text(content):
                yield str(path.relative_to(folder_path)), content


def _expanded(path: Path) -> bytes | None:
    """The first bytes of a file, or nothing where it takes a program to read that is missing here."""
    if path.suffix in (".md", ".toml", ".tsv", ".json"):
        return None
    if path.suffix != ".zst":
        with path.open("rb") as file:
            return file.read(4 * MAX_BYTES)
    program = shutil.which("zstd")
    if program is None:
        return None
    with subprocess.Popen(
        [program, "-dcq", str(path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as zstd:
        content = zstd.stdout.read(4 * MAX_BYTES) if zstd.stdout else b""
        zstd.kill()
    return content


def _is_text(content: bytes) -> bool:
    """Whether this is text without a wrapping: what is around a text is for other attacks."""
    head = content[:4096]
    return b"\n" in head and not head.startswith(
        (b"\x17\x08Dtracing", b"\x1f\x8b", b"(\xb5/\xfd", b"\xfd7zXZ")
    )


def _shortened(content: bytes) -> bytes:
    """The first whole lines."""
    if len(content) > MAX_BYTES:
        content = content[:MAX_BYTES]
    return content[: content.rfind(b"\n") + 1] if b"\n" in content else content


def _with_count(content: bytes, imported: Imported) -> bytes:
    """The text with the number of entries that it has. The core has counted how many are missing."""
    announced = list(_ANNOUNCED.finditer(content))
    missing = imported.problems.get("header_mismatch", 0)
    if len(announced) != 1 or not missing:
        return content
    kept = int(announced[0]["kept"])
    number = b"%d" % (kept - missing if missing < kept else kept + missing)
    start, _ = announced[0].span("kept")
    _, written_end = announced[0].span("written")
    return content[:start] + number + b"/" + number + content[written_end:]
