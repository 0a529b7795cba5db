"""What tools, terminals and people make of a text: none of it is random."""

import html
import json
import quopri
import re
from collections.abc import Callable
from random import Random

from text_mutations import Mutation

Change = Callable[[bytes], bytes]

_COLUMNS = (40, 60, 72, 79, 80, 100, 132)
# What a console prints between the bytes of a text that is read from it.
_CONSOLE = (
    b"[   12.345678] usb 1-1: new device\n",
    b"\n[  99.1] rcu: stall\n",
    b"login: ",
    b"^C",
    b"\a",
)


def fold(random: Random, text: bytes) -> bytes:
    width = random.choice(_COLUMNS)
    return b"".join(
        piece + b"\n"
        for line in text.splitlines()
        for piece in ([line[at : at + width] for at in range(0, len(line), width)] or [b""])
    )


def clip(random: Random, text: bytes) -> bytes:
    """A terminal that shows so many columns."""
    width = random.choice(_COLUMNS)
    return _in_some(random, text, lambda line: line[:width])


def chop(random: Random, text: bytes) -> bytes:
    """`less -S` marks what it hides."""
    width = random.choice(_COLUMNS)
    return _in_all(text, lambda line: line[: width - 1] + b">" if len(line) > width else line)


def cut_columns(random: Random, text: bytes) -> bytes:
    width = random.randrange(1, 40)
    return _in_some(random, text, lambda line: line[width:])


def squeeze(_: Random, text: bytes) -> bytes:
    return re.sub(rb" +", b" ", text)


def put_tabs_everywhere(_: Random, text: bytes) -> bytes:
    return re.sub(rb" {2,}", b"\t", text)


def strip_left(_: Random, text: bytes) -> bytes:
    return _in_all(text, lambda line: line.lstrip(b" \t"))


def pad_right(_: Random, text: bytes) -> bytes:
    return _in_all(text, lambda line: line + b"  ")


def indent(random: Random, text: bytes) -> bytes:
    mark = random.choice((b"    ", b"> ", b"+", b"\t", b"# ", b"// "))
    return _in_all(text, lambda line: mark + line)


def comment_out(random: Random, text: bytes) -> bytes:
    mark = random.choice((b"# ", b"#", b"// ", b"; ", b"-- ", b"<!-- "))
    return _in_some(random, text, lambda line: mark + line)


def number(random: Random, text: bytes) -> bytes:
    """`cat -n`, `grep -n`."""
    form = random.choice((b"%6d\t%s", b"%d:%s"))
    return b"".join(form % (at, line) for at, line in enumerate(text.splitlines(keepends=True), 1))


def put_before(random: Random, text: bytes) -> bytes:
    """`grep -H`, dmesg, syslog, adb logcat."""
    prefix = random.choice(
        (
            b"trace.txt:",
            b"[    1.000001] ",
            b"Nov 25 04:01:02 box kernel: ",
            b"I/trace( 123): ",
        )
    )
    return _in_all(text, lambda line: prefix + line)


def mix_with_console(random: Random, text: bytes) -> bytes:
    for _ in range(random.choice((1, 1, 2, 5))):
        at = random.randrange(len(text))
        text = text[:at] + random.choice(_CONSOLE) + text[at:]
    return text


def colour(_: Random, text: bytes) -> bytes:
    return re.sub(
        rb"sched_\w+|irq_\w+",
        lambda name: b"\x1b[01;31m\x1b[K" + name[0] + b"\x1b[m\x1b[K",
        text,
    )


def order(random: Random, text: bytes) -> bytes:
    """`tac`, `sort`, `uniq`, a paste that begins in the middle."""
    lines = text.splitlines(keepends=True)
    start = random.randrange(len(lines))
    orders = (
        lines[::-1],
        sorted(lines),
        list(dict.fromkeys(lines)),
        lines[start:] + lines[:start],
    )
    return b"".join(random.choice(orders))


def change_header(random: Random, text: bytes) -> bytes:
    """Without its comments, without some of them, or with them a second time."""
    lines = text.splitlines(keepends=True)
    comments = [line for line in lines if line.startswith(b"#")]
    at = random.randrange(len(lines))
    without = [line for line in lines if not line.startswith(b"#")]
    some = [line for line in lines if not line.startswith(b"#") or random.random() < 0.5]
    return b"".join(random.choice((without, some, lines[:at] + comments + lines[at:])))


def lose_word(random: Random, text: bytes) -> bytes:
    word = random.choice(list(re.finditer(rb"\S+", text)))
    return text[: word.start()] + text[word.end() :]


def lose_blanks(random: Random, text: bytes) -> bytes:
    blanks = list(re.finditer(rb" +", text))
    chosen = random.choice(blanks) if blanks else None
    return text[: chosen.start()] + text[chosen.end() :] if chosen else text


def change_sign(random: Random, text: bytes) -> bytes:
    signs = list(re.finditer(rb"[\[\]:=|(){};.>-]", text))
    chosen = random.choice(signs) if signs else None
    put = random.choice((b"", b":", b";", b",", b".", b"(", b"|", b" "))
    return text[: chosen.start()] + put + text[chosen.end() :] if chosen else text


def misspell_name(random: Random, text: bytes) -> bytes:
    """One sign of the name that an event gives a task."""
    names = list(re.finditer(rb"comm=([^\s=]{4,})(?= )", text))
    if not names:
        return change_sign(random, text)
    at = random.randrange(*random.choice(names).span(1))
    return text[:at] + random.choice((b"", b"_", b"x", bytes([text[at] ^ 0x20]))) + text[at + 1 :]


def lose_column(random: Random, text: bytes) -> bytes:
    column = random.choice((rb" +\d+\.\d+:", rb"\[\d+\]", rb"(?<= )[d.][a-zA-Z.]{3,4}(?= )"))
    return _in_some(random, text, lambda line: re.sub(column, b"", line, count=1))


def write_commas(random: Random, text: bytes) -> bytes:
    return _in_some(random, text, lambda line: re.sub(rb"(\d+)\.(\d{6})", rb"\1,\2", line))


def write_typographically(random: Random, text: bytes) -> bytes:
    signs = ((b"-", "\u2013"), (b"...", "\u2026"), (b"=", "\uff1d"), (b" ", "\u00a0"))
    plain, typographic = random.choice(signs)
    return text.replace(plain, typographic.encode())


def quote(random: Random, text: bytes) -> bytes:
    """As strings of JSON, cells of a table, a block of Markdown, mail, or HTML."""
    lines = text.splitlines(keepends=True)
    at = random.randrange(len(lines))
    fenced = [b"Here:\n```\n", *lines[:at], b"```\nand\n```\n", *lines[at:], b"```\n"]
    return random.choice(
        (
            b"".join(json.dumps(line.decode("latin-1")).encode() + b",\n" for line in lines),
            _in_all(text, lambda line: b'"' + line.replace(b'"', b'""') + b'"'),
            b"".join(fenced),
            quopri.encodestring(text),
            html.escape(text.decode("latin-1"), quote=False).encode("latin-1"),
        )
    )


def change_encoding(random: Random, text: bytes) -> bytes:
    """To UTF-16, of all or a part; or an eighth bit in some."""
    at = random.randrange(len(text))
    encode = random.choice(("utf-16-le", "utf-16-be"))
    wide = text.decode("latin-1").encode(encode)
    mark = b"\xff\xfe" if encode == "utf-16-le" else b"\xfe\xff"
    high = bytes(byte | 0x80 for byte in text[at : at + 200])
    half = text[:at] + text[at:].decode("latin-1").encode(encode)
    return random.choice(
        (
            mark + wide,
            mark + wide[: 2 * at + 1],
            half,
            text[:at] + high + text[at + 200 :],
        )
    )


def blank_out(random: Random, text: bytes) -> bytes:
    at, size = random.randrange(len(text)), random.randrange(1, 300)
    return text[:at] + random.choice((b" ", b"\n", b"\0")) * size + text[at + size :]


TRANSFERS: tuple[Mutation, ...] = (
    fold,
    clip,
    chop,
    cut_columns,
    squeeze,
    put_tabs_everywhere,
    strip_left,
    pad_right,
    indent,
    comment_out,
    number,
    put_before,
    mix_with_console,
    colour,
    order,
    change_header,
    lose_word,
    lose_blanks,
    change_sign,
    misspell_name,
    lose_column,
    write_commas,
    write_typographically,
    quote,
    change_encoding,
    blank_out,
)


def _in_all(text: bytes, change: Change) -> bytes:
    return b"".join(change(line) + b"\n" for line in text.splitlines())


def _in_some(random: Random, text: bytes, change: Change) -> bytes:
    """In up to half of the lines, one behind the other."""
    lines = text.splitlines()
    first = random.randrange(len(lines))
    last = first + 1 + random.randrange(max(1, len(lines) // 2))
    return b"".join((change(line) if first <= at < last else line) + b"\n" for at, line in enumerate(lines))
