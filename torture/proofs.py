"""Why nobody can see that something was changed: the result is itself a recording that could have been made.

Each rule compares what was recorded with what was made of it; the reader and its answer play no part in that.
"""

import re
from collections.abc import Callable

from text_traces import form
from texts import is_counted

Comparison = Callable[[bytes, bytes], bool]

WHOLE_LINES_GONE = "whole records are gone"
OTHER_VALUES = "other values of the same kind"
LIKE_OTHERS = "pieces of lines, like the others"
MORE_LIKE_OTHERS = "more records, like the others"
REPEATED = "records twice that may happen twice"
NUMBERS_ALONE = "the numbers of a column alone"
SAME_TIME = "records of the same time in another order"
SAME_WORDS = "the same words, other blanks"
RENAMED = "a word replaced by another one everywhere"
OTHER_NOTE = "whole records are gone, and a note in words is another one"

OTHER_TEXT = "whole records are gone, and the only one of an event has another text"

# `mode=ABS <========= prepare to sleep`: what a person wrote after a record.
_NOTE = re.compile(rb"\s+<(?:==|---)[=-]*(?P<note>.*)$")
# A note of words, without fields and brackets.
_IN_WORDS = re.compile(rb"[\w\s.,'-]*$")
# `2563695127us : write_msr: 6e0`, an event without fields, of any layout.
_EVENT = re.compile(rb"(?P<before>.*?\d(?:us ?)?: )(?P<name>[a-z]\w+): [^=]*$")
# Letters of a name that are no coincidence.
_MIN_PART = 4
# `hrtimer_cb: 8 overruns`, an event without fields.
_TEXT_OF_EVENT = re.compile(rb"\d\.\d{6}: (?P<name>[a-z]\w+: )(?P<text>[^=]*)$")


def proof_of_text(original: bytes, changed: bytes) -> str | None:
    """The rule that proves it; `None` where something shows that this is not what was recorded."""
    before, after = original.split(b"\n"), changed.split(b"\n")
    if len(before) < len(after):
        return None if is_counted(changed) else _proof_of_more(before, after)
    if len(before) != len(after):
        return proof_of_fewer(original, changed)
    if sorted(before) == sorted(after) and _times(before) == _times(after):
        return SAME_TIME
    pairs = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    if all(old.split() == new.split() for old, new in pairs):
        return SAME_WORDS
    if all(form(old) == form(new) for old, new in pairs):
        return OTHER_VALUES
    if _is_renamed(original, changed):
        return RENAMED
    return NUMBERS_ALONE if _are_numbers_of(after, before) else None


def proof_of_fewer(original: bytes, changed: bytes) -> str | None:
    """The same of a text with fewer records.

    One that announces how many it has is another one without them, and one that ends within a line was cut.
    """
    is_cut = not changed.endswith(b"\n") and original.endswith(b"\n")
    # A line that is blank now is gone, too.
    before, after = ([line for line in _lines(text) if line.strip()] for text in (original, changed))
    if is_cut or is_counted(changed) or len(after) >= len(before):
        return None
    if _is_part_of([line.split() for line in after], [line.split() for line in before]):
        return WHOLE_LINES_GONE
    if _is_part_with_one_other(after, before, _has_other_note):
        return OTHER_NOTE
    if _is_part_with_one_other(after, before, lambda line, other: _is_other_event(line, other, changed)):
        return OTHER_TEXT
    if _are_numbers_of(after, before):
        return NUMBERS_ALONE
    forms = {form(line) for line in before}
    return LIKE_OTHERS if all(form(line) in forms for line in after) else None


def _times(lines: list[bytes]) -> list[bytes]:
    """When each record happened; of a line without a time, the line itself."""
    stamps = (re.search(rb"\d+\.\d{6}(?=:)", line) for line in lines)
    return [stamp[0] if stamp else line for stamp, line in zip(stamps, lines, strict=True)]


def _proof_of_more(before: list[bytes], after: list[bytes]) -> str | None:
    if _are_repeated(before, after):
        return REPEATED
    added = _added(before, after)
    forms = {form(line) for line in before}
    is_like_others = added and all(form(line) in forms and line not in before for line in added)
    return MORE_LIKE_OTHERS if is_like_others else None


def _added(before: list[bytes], after: list[bytes]) -> list[bytes]:
    """The lines that are new; none where one of those before is gone."""
    added, left = [], iter(after)
    for line in before:
        for other in left:
            if other == line:
                break
            added.append(other)
        else:
            return []
    return [*added, *left]


def _lines(content: bytes) -> list[bytes]:
    return content.removesuffix(b"\n").split(b"\n")


def _is_part_of(lines: list[list[bytes]], others: list[list[bytes]]) -> bool:
    """Whether `lines`, as words, are some of the others, in their order."""
    left = iter(others)
    return all(any(line == other for other in left) for line in lines)


def _is_part_with_one_other(lines: list[bytes], others: list[bytes], is_changed: Comparison) -> bool:
    """Whether `lines` are some of the others in their order, one of them changed, and all others whole."""
    left = iter(others)
    changed_count = 0
    for line in lines:
        for other in left:
            if line.split() == other.split():
                break
            if is_changed(line, other):
                changed_count += 1
                break
        else:
            return False
    return changed_count == 1


def _has_other_note(line: bytes, other: bytes) -> bool:
    """Whether only the note of a record is another one, which begins alike and is in words: a person may have
    written so."""
    note, other_note = _NOTE.search(line), _NOTE.search(other)
    if not note or not other_note or line[: note.start()] != other[: other_note.start()]:
        return False
    words, other_words = note["note"].strip(), other_note["note"].strip()
    return words[:1] == other_words[:1] and bool(_IN_WORDS.match(words))


def _has_other_text(line: bytes, other: bytes, changed: bytes) -> bool:
    """Whether only the end of an event's text is another one, where nothing says what it prints: it has no
    fields, and no other record."""
    text, other_text = _TEXT_OF_EVENT.search(line), _TEXT_OF_EVENT.search(other)
    if not text or not other_text or line[: text.start("text")] != other[: other_text.start("text")]:
        return False
    is_alone = changed.count(b": " + text["name"]) == 1
    return is_alone and text["text"][:1] == other_text["text"][:1] and b": " not in text["text"]


def _is_other_event(line: bytes, other: bytes, changed: bytes) -> bool:
    return _has_other_text(line, other, changed) or _has_other_name(line, other, changed)


def _has_other_name(line: bytes, other: bytes, changed: bytes) -> bool:
    """Whether only the end of an event's name and its text are others, and no other record has that name."""
    event, other_event = _EVENT.match(line), _EVENT.match(other)
    if not event or not other_event or event["before"] != other_event["before"]:
        return False
    name, other_name = event["name"], other_event["name"]
    is_begun = name != other_name and name[:_MIN_PART] == other_name[:_MIN_PART]
    return is_begun and changed.count(b" " + name + b":") == 1


def _is_renamed(original: bytes, changed: bytes) -> bool:
    """Whether a word was replaced everywhere by one that was not there."""
    words, others = re.findall(rb"\w+|\W", original), re.findall(rb"\w+|\W", changed)
    if _replaced_count(words, others) > 0:
        return True
    # With its signs: `"rcuc/0"` for `rcuc/0`, several times.
    return _replaced_count(original.split(), changed.split()) > 1


def _replaced_count(words: list[bytes], others: list[bytes]) -> int:
    """How often one word was replaced by one other; 0 where it, or the other, is also elsewhere."""
    if len(words) != len(others):
        return 0
    pairs = [(old, new) for old, new in zip(words, others, strict=True) if old != new]
    after, before = set(others), set(words)
    is_one = len(set(pairs)) == 1 and all(old not in after and new not in before for old, new in pairs)
    return len(pairs) if is_one else 0


def _are_numbers_of(lines: list[bytes], others: list[bytes]) -> bool:
    """Whether each of the lines is a number of one of the others, in their order, and nothing else."""
    numbers = [line.strip() for line in lines if line.strip()]
    left = iter(others)
    return bool(numbers) and all(
        number.isdigit() and any(number in other.split() for other in left) for number in numbers
    )


def _are_repeated(lines: list[bytes], others: list[bytes]) -> bool:
    """Whether the others are the lines with some of them twice, one group behind the other.

    Only records without a time, whose order is all that they say, and one function or text: each may
    happen again at once. An event with fields happens once at a time, and so does a call with a duration.
    """
    count = len(others) - len(lines)
    same = next(
        (at for at, pair in enumerate(zip(lines, others, strict=False)) if pair[0] != pair[1]), len(lines)
    )
    group = lines[max(same - count, 0) : same]
    if len(group) != count or others[same:] != lines[same - count :]:
        return False
    is_timed = [re.search(rb"\d\.\d{6}[: ]", line) for line in group]
    # The entry of a function, a printed text, a call that takes less than the microsecond of its time.
    happens_again = (
        rb"(: [\w.]+ <-[\w.]+|: (tracing_mark_write|0|bputs|bprint|print): .*| 0\.\d{3} us +\|.*)$"
    )
    return not any(is_timed) or (count == 1 and bool(re.search(happens_again, group[0])))
