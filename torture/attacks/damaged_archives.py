"""Compressed recordings with bits flipped, ends cut off, bytes put in, taken out, zeroed or appended.

What is lost is said, and what is not damaged is kept: of several members all others.
"""

import gzip
import lzma
import random
import zlib
from collections.abc import Callable, Iterator
from functools import partial

import zstandard
from attack import SAMPLES, Attack, Extent, Outcome
from importing import Imported, Input, import_each

MAX_PEAK_BYTES = 300 << 20
MEMBERS = 5
# Several blocks of zstd, of at most 128 KiB each.
TEXT_BYTES = 230_000
# Two members, where the damage is across their border, and what they end and begin.
MIN_KEPT_SHARE = 0.5

SOURCES = ("timerlat-6.12-rt.txt", "osnoise-6.12.txt", "preemptirq-6.12.txt.zst", "cyclictest-6.12-rt.dat")


def run(extent: Extent) -> Outcome:
    outcome = Outcome()
    archives = dict(_archives())
    whole = {
        read.name: read
        for read in import_each(Input(name, partial(bytes, b)) for name, b in archives.items())
    }
    for read in whole.values():
        outcome.require(holds=read.outcome == "ready", otherwise=f"{read.name} is not read: {read}")
    figures = dict.fromkeys(("silent", "crashed or hung", "refused", "lost more than a member"), 0)
    peak_bytes = 0
    for read in import_each(_mutants(extent, archives)):
        outcome.tried += 1
        archive, mutation, seed = read.name.split("/")
        original = whole[archive]
        peak_bytes = max(peak_bytes, read.peak_bytes)
        is_local = _is_local(archive, mutation, archives[archive], seed)
        for broken in _broken_promises(read, original, is_local=is_local):
            figures[broken] += 1
            outcome.failures.append(f"{read.name}: {broken}: {read}")
        figures["refused"] += read.outcome == "failed"
    fits = peak_bytes <= MAX_PEAK_BYTES
    outcome.require(holds=fits, otherwise=f"an import took {peak_bytes} bytes of memory")
    outcome.figures = [(name, str(count)) for name, count in figures.items()]
    outcome.figures.append(("peak memory", f"{peak_bytes >> 20} MiB"))
    return outcome


def _broken_promises(read: Imported, original: Imported, *, is_local: bool) -> Iterator[str]:
    if read.is_broken:
        yield "crashed or hung"
    if (
        read.outcome == "ready"
        and read.record_count < original.record_count
        and not read.says_more_than(original)
    ):
        yield "silent"
    if is_local and read.record_count < original.record_count * MIN_KEPT_SHARE:
        yield "lost more than a member"


def _is_local(archive: str, mutation: str, content: bytes, seed: str) -> bool:
    """Whether the mutation touches one of several members of a text, behind the first one.

    The header in that may be all that says what the lines of the others mean.
    """
    if "several" not in archive or ".dat" in archive:
        return False
    is_behind = _place(content, _chance(seed)) >= len(content) // MEMBERS * 2
    return mutation == "junk" or (mutation in ("flip", "zeros") and is_behind)


def _archives() -> Iterator[tuple[str, bytes]]:
    for name in SOURCES:
        content = (SAMPLES / name).read_bytes()
        if name.endswith(".zst"):
            content = zstandard.ZstdDecompressor().decompressobj().decompress(content)
        if not name.endswith(".dat"):
            content = content[: content.index(b"\n", TEXT_BYTES) + 1]
        for kind, wrap in WRAPPINGS.items():
            yield f"{name}.{kind}", wrap(content)


def _several(wrap: Callable[[bytes], bytes], content: bytes) -> bytes:
    step = len(content) // MEMBERS + 1
    return b"".join(wrap(content[at : at + step]) for at in range(0, len(content), step))


def _zstd(content: bytes, *, has_checksum: bool) -> bytes:
    parameters = zstandard.ZstdCompressionParameters(write_checksum=has_checksum)
    return zstandard.ZstdCompressor(compression_params=parameters).compress(content)


WRAPPINGS: dict[str, Callable[[bytes], bytes]] = {
    "gz": partial(gzip.compress, mtime=0),
    "several.gz": partial(_several, partial(gzip.compress, mtime=0)),
    "zst": partial(_zstd, has_checksum=True),
    "unchecked.zst": partial(_zstd, has_checksum=False),
    "several.zst": partial(_several, partial(_zstd, has_checksum=True)),
    "xz": partial(lzma.compress, preset=1),
    "several.xz": partial(_several, partial(lzma.compress, preset=1)),
    "atrace": lambda content: b"TRACE:\n" + zlib.compress(content),
}


def _mutants(extent: Extent, archives: dict[str, bytes]) -> Iterator[Input]:
    names = list(archives)
    for number in range(extent.pick(320, 20_000)):
        name = names[number % len(names)]
        mutation = list(MUTATIONS)[number // len(names) % len(MUTATIONS)]
        seed = f"{extent.seed}-{number}"
        yield Input(f"{name}/{mutation}/{seed}", partial(_mutate, archives[name], MUTATIONS[mutation], seed))


def _mutate(content: bytes, change: Callable[[bytearray, int, random.Random], None], seed: str) -> bytes:
    chance = _chance(seed)
    mutant = bytearray(content)
    change(mutant, _place(content, chance), chance)
    return bytes(mutant)


def _chance(seed: str) -> random.Random:
    return random.Random(seed)  # noqa: S311 (the same mutants in every run)


def _place(content: bytes, chance: random.Random) -> int:
    """Where the damage begins. What the first bytes make of a file is another question."""
    return chance.randrange(min(64, len(content) - 1), len(content))


def _flip(mutant: bytearray, at: int, chance: random.Random) -> None:
    mutant[at] ^= 1 << chance.randrange(8)


def _cut(mutant: bytearray, at: int, _: random.Random) -> None:
    del mutant[at:]


def _insert(mutant: bytearray, at: int, chance: random.Random) -> None:
    mutant[at:at] = chance.randbytes(chance.choice((1, 7, 300)))


def _delete(mutant: bytearray, at: int, chance: random.Random) -> None:
    del mutant[at : at + chance.choice((1, 7, 300))]


def _zeros(mutant: bytearray, at: int, chance: random.Random) -> None:
    end = min(at + chance.choice((8, 64)), len(mutant))
    mutant[at:end] = bytes(end - at)


def _junk(mutant: bytearray, _: int, chance: random.Random) -> None:
    mutant += chance.randbytes(chance.choice((1, 100, 5_000)))


MUTATIONS: dict[str, Callable[[bytearray, int, random.Random], None]] = {
    "flip": _flip,
    "cut": _cut,
    "insert": _insert,
    "delete": _delete,
    "zeros": _zeros,
    "junk": _junk,
}

ATTACK = Attack(
    name="damaged-archives",
    promise="Damage in a compressed file costs what it is in, and is said.",
    run=run,
)
