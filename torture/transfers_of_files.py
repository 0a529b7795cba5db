"""What disks, memories and transfers do to any file: sectors, packets, bits that stick, transfers as text."""

import base64
import random

_SECTORS = (512, 1024, 4096, 65536)
_PACKETS = (536, 1448, 1460)
_BASE64_LINE = 76


def _block(content: bytearray, choice: random.Random, sizes: tuple[int, ...]) -> tuple[int, int]:
    """One of the blocks of a size, which the file begins with."""
    size = choice.choice(sizes)
    start = choice.randrange(len(content)) // size * size
    return start, start + size


def swap_sectors(content: bytearray, choice: random.Random) -> None:
    start, end = _block(content, choice, _SECTORS)
    content[start : 2 * end - start] = content[end : 2 * end - start] + content[start:end]


def repeat_sector(content: bytearray, choice: random.Random) -> None:
    """Once more behind itself, or over the next one."""
    start, end = _block(content, choice, _SECTORS)
    sector = content[start:end]
    content[end : choice.choice((end, end + len(sector)))] = sector


def leave_holes(content: bytearray, choice: random.Random) -> None:
    """As a sparse copy that went wrong."""
    for _ in range(choice.choice((1, 2, 4, 8))):
        start, end = _block(content, choice, _SECTORS)
        content[start:end] = bytes(len(content[start:end]))


def lose_packet(content: bytearray, choice: random.Random) -> None:
    start, end = _block(content, choice, _PACKETS)
    del content[start:end]


def join_with_itself(content: bytearray, _: random.Random) -> None:
    content += bytes(content)


def stick_bit(content: bytearray, choice: random.Random) -> None:
    """A line of a bus that is always high, or always low, for one byte of several."""
    bit, step = 1 << choice.randrange(8), choice.choice((2, 8, 64, 512))
    start, is_high = choice.randrange(len(content)), choice.random() < 0.5
    for at in range(start, min(start + choice.choice((512, 4096, 65536)), len(content)), step):
        content[at] = content[at] | bit if is_high else content[at] & ~bit


def end_lines_anew(content: bytearray, choice: random.Random) -> None:
    """A transfer as text."""
    before, after = choice.choice(((b"\n", b"\r\n"), (b"\r\n", b"\n"), (b"\r", b""), (b"\n", b"\r")))
    content[:] = content.replace(before, after)


def decode_anew(content: bytearray, choice: random.Random) -> None:
    """What is no UTF-8 becomes a replacement character, or what was Latin-1 becomes UTF-8."""
    decode = choice.choice(("utf-8", "latin-1"))
    content[:] = content.decode(decode, "replace").encode()


def lose_line_of_base64(content: bytearray, choice: random.Random) -> None:
    encoded = base64.b64encode(content)
    start, end = _block(bytearray(encoded), choice, (_BASE64_LINE,))
    left = encoded[:start] + encoded[end:]
    content[:] = base64.b64decode(left + b"=" * (-len(left) % 4))


TRANSFERS_OF_FILES = (
    swap_sectors,
    repeat_sector,
    leave_holes,
    lose_packet,
    join_with_itself,
    stick_bit,
    end_lines_anew,
    decode_anew,
    lose_line_of_base64,
)
