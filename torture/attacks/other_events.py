"""Texts that tools have changed, texts mixed from two, and pages that changed places.

What was recorded is compared event by event, not by number: an event that says something else is as false as
one that is gone. A value that nothing else states may be another one without a sign, and lines of another
recording are lines. What a rule proves to be a recording that could have been made is counted by that rule;
of all else, no more than a small share may pass without a word.
"""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from random import Random

from attack import Attack, Extent, Outcome
from importing import Imported, Input, import_each
from page_mutations import PAGE_MUTATIONS, PageMutation, pages
from page_proofs import proof_of_pages
from proofs import proof_of_text
from text_edits import EDITS
from text_mixtures import MIXTURES, Mixture
from text_mutations import Mutation
from text_transfers import TRANSFERS
from texts import Text, whole_texts
from trace_dat import LAYOUTS, build

# Of the mutants, those that may hold other events without a word; see above.
MAX_SILENT_SHARE = 0.005

# Of one text.
CHANGES = (*TRANSFERS, *EDITS)

_SHOWN = 8


def run(extent: Extent) -> Outcome:
    texts = whole_texts()
    made = {layout.name: build(layout) for layout in LAYOUTS}
    recordings = {name: content for name, content in made.items() if pages(content)}
    inputs = [Input(text.name, partial(bytes, text.content), with_events=True) for text in texts]
    inputs += [Input(name, partial(bytes, content), with_events=True) for name, content in recordings.items()]
    whole = {read.name: read for read in import_each(inputs)}
    outcome = Outcome()
    silent: Counter[str] = Counter()
    proved: Counter[str] = Counter()
    contents = recordings | {text.name: text.content for text in texts}
    mutants = [*_texts(extent, texts), *_recordings(extent, recordings)]
    for mutant, read in zip(mutants, import_each(mutants), strict=True):
        outcome.tried += 1
        name, change, _ = read.name.split("|")
        outcome.require(
            holds=not read.is_broken,
            otherwise=f"{read.name}: {read.outcome}: {read.error}",
        )
        if not is_silent(read, whole[name]):
            continue
        prove = proof_of_pages if name in recordings else proof_of_text
        if proof := prove(contents[name], mutant.make()):
            proved[proof] += 1
        else:
            silent[change] += 1
    share = silent.total() / max(outcome.tried, 1)
    worst = ", ".join(f"{change} {count}" for change, count in silent.most_common(_SHOWN))
    outcome.require(
        holds=share <= MAX_SILENT_SHARE,
        otherwise=f"{share:.1%} have other events without a word: {worst}",
    )
    outcome.figures = [
        ("other events, silently", str(silent.total())),
        ("    share", f"{share:.2%}"),
    ]
    outcome.figures += [(f"    {change}", str(count)) for change, count in silent.most_common(_SHOWN)]
    outcome.figures += [(f"not to be seen: {proof}", str(count)) for proof, count in proved.most_common()]
    return outcome


def is_silent(read: Imported, original: Imported) -> bool:
    """Whether events are gone, changed or added without a diagnostic."""
    if read.outcome != "ready" or read.says_more_than(original):
        return False
    is_other = Counter(original.event_hashes) != Counter(read.event_hashes)
    return is_other or read.call_count != original.call_count


def _texts(extent: Extent, texts: list[Text]) -> Iterator[Input]:
    """Each change in turn; the name says how to make it again."""
    random = Random(extent.seed)  # noqa: S311 (the same mutants for the same seed)
    for number in range(extent.pick(160, 12_000)):
        text, other = random.choice(texts), random.choice(texts)
        at = number % (len(CHANGES) + len(MIXTURES))
        seed = f"{extent.seed}/{number}"
        if at < len(CHANGES):
            change = CHANGES[at].__name__
            make = partial(_transferred, CHANGES[at], text.content, seed)
        else:
            mixture = MIXTURES[at - len(CHANGES)]
            change, make = mixture.__name__, partial(_mixed, mixture, text.content, other.content, seed)
        yield Input(f"{text.name}|{change}|{number}", make, with_events=True)


def _recordings(extent: Extent, recordings: dict[str, bytes]) -> Iterator[Input]:
    random = Random(extent.seed)  # noqa: S311
    names = list(recordings)
    for number in range(extent.pick(55, 6_000)):
        name, other = random.choice(names), random.choice(names)
        change = PAGE_MUTATIONS[number % len(PAGE_MUTATIONS)]
        make = partial(
            _changed,
            change,
            recordings[name],
            recordings[other],
            f"{extent.seed}/{number}",
        )
        yield Input(f"{name}|{change.__name__}|{number}", make, with_events=True)


def _transferred(change: Mutation, text: bytes, seed: str) -> bytes:
    return change(Random(seed), text)  # noqa: S311


def _mixed(mixture: Mixture, text: bytes, other: bytes, seed: str) -> bytes:
    return mixture(Random(seed), text, other)  # noqa: S311


def _changed(change: PageMutation, content: bytes, other: bytes, seed: str) -> bytes:
    mutant = bytearray(content)
    change(Random(seed), mutant, other)  # noqa: S311
    return bytes(mutant)


ATTACK = Attack(
    name="other-events",
    promise="A recording that was changed never says something else without a word.",
    run=run,
)
