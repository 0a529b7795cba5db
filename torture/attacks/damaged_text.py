"""Damages texts and cuts them short: what is missing afterwards has to be reported."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from random import Random

from attack import Attack, Extent, Outcome
from importing import Imported, Input, import_each
from proofs import proof_of_fewer
from text_edits import EDITS
from text_mutations import MUTATIONS
from texts import Text, whole_texts

MAX_PEAK_BYTES = 300 << 20

# Damage by chance, and what careless people do.
DAMAGES = (*MUTATIONS, *EDITS)


@dataclass(frozen=True)
class Damage:
    text: Text
    kind: str
    content: bytes

    @property
    def name(self) -> str:
        return f"{self.text.name} {self.kind}"


def run(extent: Extent) -> Outcome:
    random = Random(extent.seed)  # noqa: S311 (the same inputs every time)
    texts = whole_texts()
    damages = [
        *_mutants(random, texts, extent.pick(500, 12_000)),
        *_cuts(random, texts, extent.pick(100, 1_400)),
    ]
    outcome = Outcome(tried=len(damages))
    with_fewer = reported = 0
    invisible: Counter[str] = Counter()
    peak_bytes = 0
    inputs = (Input(damage.name, partial(bytes, damage.content)) for damage in damages)
    for damage, imported in zip(damages, import_each(inputs), strict=True):
        peak_bytes = max(peak_bytes, imported.peak_bytes)
        outcome.failures += _broken(damage, imported)
        if imported.outcome != "ready" or imported.record_count >= damage.text.imported.record_count:
            continue
        with_fewer += 1
        if imported.says_more_than(damage.text.imported):
            reported += 1
        elif proof := proof_of_fewer(damage.text.content, damage.content):
            invisible[proof] += 1
        else:
            was, now = damage.text.imported.record_count, imported.record_count
            outcome.failures.append(f"{damage.name}: {now} of {was} records, and no word")
    outcome.require(holds=peak_bytes <= MAX_PEAK_BYTES, otherwise=f"a process grew to {peak_bytes >> 20} MiB")
    outcome.figures = [
        ("texts", f"{len(texts)}"),
        ("with fewer records", f"{with_fewer}"),
        ("    reported", f"{reported}"),
        *((f"    not to be seen: {proof}", f"{count}") for proof, count in invisible.most_common()),
        ("peak memory", f"{peak_bytes >> 20} MiB"),
    ]
    return outcome


def _mutants(random: Random, texts: list[Text], count: int) -> Iterator[Damage]:
    for number in range(count):
        text = random.choice(texts)
        mutate = DAMAGES[number % len(DAMAGES)]
        yield Damage(text, f"mutant {number} ({mutate.__name__})", mutate(random, text.content))


def _cuts(random: Random, texts: list[Text], count: int) -> Iterator[Damage]:
    """Half of them anywhere, half of them at the end of a line."""
    for number in range(count):
        text = random.choice(texts)
        at = random.randrange(1, len(text.content))
        if number % 2:
            at = text.content.rfind(b"\n", 0, at) + 1 or at
        yield Damage(text, f"cut {number} at byte {at}", text.content[:at])


def _broken(damage: Damage, imported: Imported) -> Iterator[str]:
    if imported.is_broken:
        yield f"{damage.name}: {imported.outcome}, {imported.error}"
    accounted = imported.used_bytes + imported.skipped_bytes
    if imported.outcome == "ready" and accounted != imported.size_bytes:
        yield f"{damage.name}: {imported.size_bytes} bytes, {accounted} accounted for"


ATTACK = Attack(
    name="damaged-text",
    promise="a damaged or cut text never has fewer events than it had without a word",
    run=run,
)
