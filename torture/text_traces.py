"""What damage leaves a trace in a text, and what nobody could see."""

import re

from texts import Text, is_counted

# What differs from line to line of a recording: names, numbers, values. What is left is the line's form.
_VARIABLE = (
    (re.compile(rb"^.{0,60}?-\d+ +(?=[\[(\d])"), b"task "),
    (re.compile(rb"(?<=\])[ 0-9A-Za-z.-]+?(?= +\d+\.\d+: | \d+: )"), b" flags"),
    (re.compile(rb"(?<=: )[a-z_0-9]+: +"), b"event: "),
    (re.compile(rb"=ARRAY\[[^=]*"), b"=v "),
    (re.compile(rb"\d[0-9a-f.]*[.a-zA-Z0-9-]*"), b"9"),
    (re.compile(rb"=[^ =]*"), b"=v"),
    (re.compile(rb"[\w.]+(?= ?[(;<*+]|$| \[)|(?<=<-)[\w.]+"), b"f"),
    (re.compile(rb"[ \t]+"), b" "),
)


def form(line: bytes) -> bytes:
    if line.startswith(b"#") and not line.strip(b"# |\t"):
        return b"#"
    for pattern, name in _VARIABLE:
        line = pattern.sub(name, line)
    return line.strip()


class Witness:
    """Tells whether anything in a damaged text shows that something is missing."""

    def __init__(self, text: Text) -> None:
        self._forms = {form(line) for line in text.content.split(b"\n")}

    def is_damage_visible(self, damaged: bytes) -> bool:
        """False only where the damaged text might be a whole recording of fewer lines.

        That is so where it announces no number of entries, ends with a line feed, and all of its lines have
        forms that the recording's lines have: without whole lines, or without a piece from the middle of one
        line to the same place of another, it is a text that the kernel could have written.
        """
        if is_counted(damaged) or not damaged.endswith(b"\n"):
            return True
        return any(form(line) not in self._forms for line in damaged.split(b"\n"))
