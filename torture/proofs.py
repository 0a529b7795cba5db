"""Why nobody can see that something was changed: the result is itself a recording that could have been made.

Each rule compares what was recorded with what was made of it; the reader and its answer play no part in that.
"""

from page_mutations import HEAD, PAGE, pages
from text_traces import form
from texts import is_counted

WHOLE_LINES_GONE = "whole records are gone"
OTHER_VALUES = "other values of the same kind"
LIKE_OTHERS = "pieces of lines, like the others"
PAGE_STILL_IN_ORDER = "a page at another time, still in order"


def proof_of_text(original: bytes, changed: bytes) -> str | None:
    """The rule that proves it; `None` where something shows that this is not what was recorded."""
    before, after = original.split(b"\n"), changed.split(b"\n")
    if len(before) != len(after):
        return proof_of_fewer(original, changed)
    pairs = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    return OTHER_VALUES if all(form(old) == form(new) for old, new in pairs) else None


def proof_of_fewer(original: bytes, changed: bytes) -> str | None:
    """The same of a text with fewer records.

    One that announces how many it has is another one without them, and one that ends within a line was cut.
    """
    before, after = original.split(b"\n"), changed.split(b"\n")
    is_cut = after[-1] and not before[-1]
    if is_cut or is_counted(changed) or len(after) >= len(before):
        return None
    if _is_part_of(after, before):
        return WHOLE_LINES_GONE
    forms = {form(line) for line in before}
    return LIKE_OTHERS if all(form(line) in forms for line in after) else None


def proof_of_pages(original: bytes, changed: bytes) -> str | None:
    """The same of a trace.dat: only times of pages differ, and each page still lies between its neighbours.

    A neighbour whose time is on the other side to begin with is of another CPU.
    """
    if len(original) != len(changed):
        return None
    differing = [at for at in pages(original) if original[at : at + PAGE] != changed[at : at + PAGE]]
    restored = bytearray(changed)
    for at in differing:
        restored[at : at + 8] = original[at : at + 8]
    if not differing or restored != original:
        return None
    return PAGE_STILL_IN_ORDER if all(_is_in_order(original, changed, at) for at in differing) else None


def _is_in_order(original: bytes, changed: bytes, page: int) -> bool:
    starts = set(pages(original))
    before, behind = page - PAGE, page + PAGE
    start, end = _time(original, page), _last_time(original, page)
    is_behind = before not in starts or _last_time(original, before) > start
    is_before = behind not in starts or _time(original, behind) < end
    return (is_behind or _last_time(changed, before) <= _time(changed, page)) and (
        is_before or _last_time(changed, page) <= _time(changed, behind)
    )


def _time(content: bytes, page: int) -> int:
    time, _ = HEAD.unpack_from(content, page)
    return int(time)


def _last_time(content: bytes, page: int) -> int:
    """That of the last record of a page.

    Source: include/linux/ring_buffer.h (`enum ring_buffer_type`), Linux 2.6.30 to 7.3.
    """
    (stamp, commit), at = HEAD.unpack_from(content, page), page + HEAD.size
    end = at + min(commit, PAGE - HEAD.size)
    while at + 4 <= end:
        word = int.from_bytes(content[at : at + 4], "little")
        kind, delta = word & 31, word >> 5
        body = int.from_bytes(content[at + 4 : at + 8], "little")
        match kind:
            case 29:
                at += 4 + body
            case 30 | 31:
                delta += body << 27
                at += 8
            case 0:
                at += 4 + body
            case _:
                at += 4 + 4 * kind
        stamp = delta if kind == 31 else stamp + delta
    return int(stamp)


def _is_part_of(lines: list[bytes], others: list[bytes]) -> bool:
    """Whether `lines` are some of the others, in their order."""
    left = iter(others)
    return all(any(line == other for other in left) for line in lines)
