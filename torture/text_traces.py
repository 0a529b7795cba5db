"""What the lines of a recording have in common."""

import re

# What differs from line to line of a recording: names, numbers, values. What is left is the line's form.
_VARIABLE = (
    # A program prints what it likes.
    (re.compile(rb"(?<=: )(bprint|bputs|print|tracing_mark_write): .*"), b"text"),
    (re.compile(rb"^.{0,60}?-\d+ +(?=[\[(\d])"), b"task "),
    (re.compile(rb"(?<=\])[ 0-9A-Za-z.-]+?(?= +\d+\.\d+: | \d+: )"), b" flags"),
    (re.compile(rb"(?<=: )[a-z_0-9]+: +"), b"event: "),
    (re.compile(rb"(?<=: )sys_[a-z_0-9]+(?=\(| ->)"), b"sys_f"),
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
