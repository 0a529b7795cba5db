"""What careless people and their tools do to a text: editors, `awk`, `sort`, `column`, cut transfers."""

import base64
import re
from collections.abc import Callable
from random import Random

from text_mutations import Mutation

_PACKET_BYTES = 1_460
_PIPE_BYTES = 4_096
_BASE64_LINE = 76
# What a person types into a file by mistake.
_KEYS = (b"jjj", b"x", b":w", b"dd", b"\x1b", b"ls", b"^[", b"^C", b"\\", b"\x08")


def lose_packet(random: Random, text: bytes) -> bytes:
    at = random.randrange(len(text)) // _PACKET_BYTES * _PACKET_BYTES
    return text[:at] + text[at + _PACKET_BYTES :]


def lose_end_of_buffer(random: Random, text: bytes) -> bytes:
    """A program that is stopped before it has written all of a buffer, and continues with the next."""
    at = random.randrange(len(text))
    return text[:at] + text[at + _PIPE_BYTES - at % _PIPE_BYTES :]


def resume_too_late(random: Random, text: bytes) -> bytes:
    at = random.randrange(len(text))
    return text[:at] + text[at + random.choice((1, 64, 1_024)) :]


def lose_line_of_base64(random: Random, text: bytes) -> bytes:
    encoded = base64.b64encode(text)
    at = random.randrange(len(encoded)) // _BASE64_LINE * _BASE64_LINE
    left = encoded[:at] + encoded[at + _BASE64_LINE :]
    return base64.b64decode(left[: len(left) // 4 * 4])


def align_columns(_: Random, text: bytes) -> bytes:
    """`column -t`."""
    rows = [line.split() for line in text.splitlines()]
    widths: dict[int, int] = {}
    for row in rows:
        for column, word in enumerate(row):
            widths[column] = max(widths.get(column, 0), len(word))
    return b"".join(
        b"  ".join(word.ljust(widths[column]) for column, word in enumerate(row)).rstrip() + b"\n"
        for row in rows
    )


def print_some_columns(random: Random, text: bytes) -> bytes:
    """`awk '{$3 = ""; print}'`."""
    column = random.randrange(8)
    rows = (line.split() for line in text.splitlines())
    return b"".join(b" ".join(row[:column] + row[column + 1 :]) + b"\n" for row in rows)


def sort_by_column(random: Random, text: bytes) -> bytes:
    """`sort -k`."""
    column = random.randrange(1, 6)
    lines = text.splitlines(keepends=True)
    lines.sort(key=lambda line: line.split()[column:])
    return b"".join(lines)


def type_stray_keys(random: Random, text: bytes) -> bytes:
    at = random.randrange(len(text))
    return text[:at] + random.choice(_KEYS) + text[at:]


def count_up(random: Random, text: bytes) -> bytes:
    """An editor's key that adds one to the number under the cursor."""
    return _in_a_line(random, text, lambda line: _counted_up(random, line))


def copy_line_and_count_up(random: Random, text: bytes) -> bytes:
    return _in_a_line(random, text, lambda line: line + b"\n" + _counted_up(random, line))


def change_case_of_lines(random: Random, text: bytes) -> bytes:
    return _in_a_line(random, text, bytes.swapcase)


def double_word(random: Random, text: bytes) -> bytes:
    return _in_a_line(random, text, lambda line: _word_doubled(random, line))


def put_bracket(random: Random, text: bytes) -> bytes:
    at = random.randrange(len(text))
    return text[:at] + random.choice((b"(", b")", b"[", b"]", b"{", b"}", b'"', b"'")) + text[at:]


def lose_line_of_header(random: Random, text: bytes) -> bytes:
    lines = text.split(b"\n")
    header = [at for at, line in enumerate(lines) if line.startswith(b"#")]
    if header:
        del lines[random.choice(header)]
    return b"\n".join(lines)


def exchange_letters(random: Random, text: bytes) -> bytes:
    at = random.randrange(max(len(text) - 1, 1))
    return text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]


def _in_a_line(random: Random, text: bytes, change: Callable[[bytes], bytes]) -> bytes:
    lines = text.split(b"\n")
    at = random.randrange(len(lines))
    lines[at] = change(lines[at])
    return b"\n".join(lines)


def _word_doubled(random: Random, line: bytes) -> bytes:
    words = list(re.finditer(rb"\S+", line))
    if not words:
        return line
    end = random.choice(words).end()
    word = line[:end].split()[-1]
    return line[:end] + b" " + word + line[end:]


def _counted_up(random: Random, line: bytes) -> bytes:
    numbers = list(re.finditer(rb"\d+", line))
    if not numbers:
        return line
    number = random.choice(numbers)
    return line[: number.start()] + b"%d" % (int(number[0]) + 1) + line[number.end() :]


EDITS: tuple[Mutation, ...] = (
    lose_packet,
    lose_end_of_buffer,
    resume_too_late,
    lose_line_of_base64,
    align_columns,
    print_some_columns,
    sort_by_column,
    type_stray_keys,
    count_up,
    copy_line_and_count_up,
    change_case_of_lines,
    double_word,
    put_bracket,
    lose_line_of_header,
    exchange_letters,
)
