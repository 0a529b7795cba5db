"""Ways to damage a text, from one bit to a chunk of it."""

import re
from collections.abc import Callable
from random import Random

Mutation = Callable[[Random, bytes], bytes]

# Bytes that mean something to ftrace's layouts.
_SPECIAL = b'\n\r\0 #=:;|(){}[]<>*/.-+!,0123456789dus"\\&@\t\x1a\x7f\xff'
_CHUNK_BYTES = 2_000


def flip_bits(random: Random, text: bytes) -> bytes:
    damaged = bytearray(text)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        damaged[random.randrange(len(damaged))] ^= 1 << random.randrange(8)
    return bytes(damaged)


def replace_byte(random: Random, text: bytes) -> bytes:
    at = random.randrange(len(text))
    return text[:at] + _byte(random) + text[at + 1 :]


def replace_line_end(random: Random, text: bytes) -> bytes:
    at = random.choice(_line_ends(text))
    return text[:at] + _byte(random) + text[at + 1 :]


def insert_bytes(random: Random, text: bytes) -> bytes:
    at = random.randrange(len(text) + 1)
    inserted = b"".join(_byte(random) for _ in range(random.choice((1, 1, 2, 8, 64))))
    return text[:at] + inserted + text[at:]


def delete_bytes(random: Random, text: bytes) -> bytes:
    at = random.randrange(len(text))
    return text[:at] + text[at + random.choice((1, 1, 1, 2, 3, 5, 8, 20)) :]


def delete_chunk(random: Random, text: bytes) -> bytes:
    start, end = _chunk(random, text)
    return text[:start] + text[end:]


def move_chunk(random: Random, text: bytes) -> bytes:
    start, end = _chunk(random, text)
    rest = text[:start] + text[end:]
    at = random.randrange(len(rest) + 1)
    return rest[:at] + text[start:end] + rest[at:]


def duplicate_chunk(random: Random, text: bytes) -> bytes:
    start, end = _chunk(random, text)
    return text[:end] + text[start:end] + text[end:]


def fill_chunk(random: Random, text: bytes) -> bytes:
    """A hole in the file system, or a page of another file."""
    start, end = _chunk(random, text)
    filling = random.choice((b"\0", b"\xff", b" ", b"#", bytes([random.randrange(256)])))
    return text[:start] + filling * (end - start) + text[end:]


def overwrite_chunk(random: Random, text: bytes) -> bytes:
    """A page of the same file, at the wrong place."""
    start, end = _chunk(random, text)
    other = random.randrange(len(text))
    return text[:start] + text[other : other + end - start] + text[end:]


def drop_characters(random: Random, text: bytes) -> bytes:
    """A serial line that loses some."""
    start, end = _chunk(random, text)
    kept = bytes(byte for byte in text[start:end] if random.random() > 0.05)
    return text[:start] + kept + text[end:]


def put_tabs(random: Random, text: bytes) -> bytes:
    start, end = _chunk(random, text)
    return text[:start] + text[start:end].replace(b"        ", b"\t") + text[end:]


def delete_line(random: Random, text: bytes) -> bytes:
    lines = text.splitlines(keepends=True)
    del lines[random.randrange(len(lines))]
    return b"".join(lines)


def duplicate_line(random: Random, text: bytes) -> bytes:
    lines = text.splitlines(keepends=True)
    at = random.randrange(len(lines))
    lines.insert(at, lines[at])
    return b"".join(lines)


def swap_lines(random: Random, text: bytes) -> bytes:
    lines = text.splitlines(keepends=True)
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def join_lines(random: Random, text: bytes) -> bytes:
    at = random.choice(_line_ends(text))
    return text[:at] + random.choice((b"", b"", b" ", b"\r", b"\0", b"\t")) + text[at + 1 :]


def split_line(random: Random, text: bytes) -> bytes:
    at = random.randrange(len(text))
    return text[:at] + random.choice((b"\n", b"\n", b"\r\n", b"\n\n", b"=\n", b"\n ")) + text[at:]


def begin_line_with(random: Random, text: bytes) -> bytes:
    """A damaged head makes a line a comment, a frame of a stack, a remark, or the text of the one before."""
    head = random.choice((b"#", b"# ", b" => ", b"//", b"...", b"\0", b"> ", b"+", b"-", b"\t", b"CPU:1 ["))
    start = random.choice([-1, *_line_ends(text)[:-1]]) + 1
    return text[:start] + head + text[start + random.choice((0, 1, len(head), 17, 30)) :]


def change_line_ends(random: Random, text: bytes) -> bytes:
    ends = _line_ends(text)
    first, last = sorted((random.choice(ends), random.choice(ends)))
    changed = random.choice((b"\r\n", b"\r", b"\n\r", b"\x0b", b"\\n"))
    return text[:first] + text[first : last + 1].replace(b"\n", changed) + text[last + 1 :]


def edit_number(random: Random, text: bytes) -> bytes:
    numbers = list(re.finditer(rb"\d+", text))
    if not numbers:
        return flip_bits(random, text)
    number = random.choice(numbers)
    edits = (b"0", b"-1", b"99999999999999999999", b"%d" % random.randrange(1 << 32), b"", number[0][::-1])
    return text[: number.start()] + random.choice(edits) + text[number.end() :]


def change_case(random: Random, text: bytes) -> bytes:
    start, end = _chunk(random, text)
    return text[:start] + text[start:end].swapcase() + text[end:]


def several(random: Random, text: bytes) -> bytes:
    """Not with whole lines gone: other damage would show, but not that."""
    mutations = [mutation for mutation in MUTATIONS if mutation not in (several, delete_line)]
    for _ in range(random.choice((2, 2, 3, 5))):
        if b"\n" not in text:
            break
        text = random.choice(mutations)(random, text)
    return text


MUTATIONS: tuple[Mutation, ...] = (
    flip_bits,
    replace_byte,
    replace_line_end,
    insert_bytes,
    delete_bytes,
    delete_chunk,
    move_chunk,
    duplicate_chunk,
    fill_chunk,
    overwrite_chunk,
    drop_characters,
    put_tabs,
    delete_line,
    duplicate_line,
    swap_lines,
    join_lines,
    split_line,
    begin_line_with,
    change_line_ends,
    edit_number,
    change_case,
    several,
)


def _byte(random: Random) -> bytes:
    return bytes([random.choice(_SPECIAL) if random.random() < 0.6 else random.randrange(256)])


def _line_ends(text: bytes) -> list[int]:
    return [at for at, byte in enumerate(text) if byte == 0x0A] or [len(text) - 1]


def _chunk(random: Random, text: bytes) -> tuple[int, int]:
    start = random.randrange(len(text))
    return start, min(len(text), start + random.choice((3, 30, 300, _CHUNK_BYTES)))
