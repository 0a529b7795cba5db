"""Bits flipped, blocks moved, numbers changed and ends cut off in trace.dat files."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from attack import SAMPLES, Attack, Extent, Outcome
from importing import Imported, Input, import_each
from mutations import mutate
from structure_mutations import mutate_structure
from texts import TRACES
from trace_dat import LAYOUTS, MAGIC, build

MAX_PEAK_BYTES = 300 << 20
# Of a recording this large every mutant costs a second.
MAX_LARGE_SHARE = 20


def run(extent: Extent) -> Outcome:
    outcome = Outcome()
    made = {layout.name: build(layout) for layout in LAYOUTS}
    real = {path.name: path.read_bytes() for path in recordings() if extent.is_long}
    whole = {
        read.name: read
        for read in import_each(
            Input(name, partial(bytes, content)) for name, content in (made | real).items()
        )
    }
    outcome.tried = len(whole)
    for name in made:
        clean = whole[name].outcome == "ready" and not whole[name].problems and not whole[name].infos
        outcome.require(holds=clean, otherwise=f"{name} is not read cleanly: {whole[name]}")
    attack_all(extent, made, real, whole, outcome)
    return outcome


def recordings() -> list[Path]:
    """The project's own, and those of a folder that the environment names."""
    folders = [SAMPLES, *([Path(TRACES)] if TRACES else [])]
    return sorted({path for folder in folders for path in folder.rglob("*.dat")})


def attack_all(
    extent: Extent,
    made: dict[str, bytes],
    real: dict[str, bytes],
    whole: dict[str, Imported],
    outcome: Outcome,
) -> None:
    peak_bytes = silent = crashed = refused = 0
    for read in import_each(mutants(extent, made, real)):
        outcome.tried += 1
        original = whole[read.name.split("/")[0]]
        peak_bytes = max(peak_bytes, read.peak_bytes)
        crashed += read.is_broken
        refused += read.outcome == "failed"
        outcome.require(holds=not read.is_broken, otherwise=f"{read.name}: {read.outcome}: {read.error}")
        if read.outcome != "ready":
            continue
        is_accounted = read.used_bytes + read.skipped_bytes == read.size_bytes
        outcome.require(holds=is_accounted, otherwise=f"{read.name}: a wrong account of its bytes: {read}")
        is_silent = has_fewer(read, original) and not read.says_more_than(original)
        silent += is_silent
        outcome.require(holds=not is_silent, otherwise=f"{read.name}: fewer events, silently: {read}")
    fits = peak_bytes <= MAX_PEAK_BYTES
    outcome.require(holds=fits, otherwise=f"an import took {peak_bytes} bytes of memory")
    outcome.figures = [
        ("silent", str(silent)),
        ("crashed or hung", str(crashed)),
        ("refused", str(refused)),
        ("peak memory", f"{peak_bytes >> 20} MiB"),
    ]


def mutants(extent: Extent, made: dict[str, bytes], real: dict[str, bytes]) -> Iterator[Input]:
    """Each recording in turn; cuts at any byte among them. The name says how to make it again."""
    for number in range(extent.pick(1_000, 12_000)):
        name = list(made)[number % len(made)]
        yield Input(
            f"{name}/{extent.seed}/{number}", partial(mutate, made[name], f"{extent.seed}/{number}", MAGIC)
        )
    for number in range(extent.pick(300, 6_000)):
        name = list(made)[number % len(made)]
        yield structural(extent, name, made[name], number)
    for number in range(extent.pick(200, 1_400)):
        name = list(made)[number % len(made)]
        yield cut(name, made[name], number * 997 * extent.seed)
    for number in range(extent.pick(0, MAX_LARGE_SHARE * len(real))):
        name = list(real)[number % len(real)]
        yield Input(
            f"{name}/{extent.seed}/{number}", partial(mutate, real[name], f"{extent.seed}/{number}", MAGIC)
        )
        yield cut(name, real[name], number * 99_991 * extent.seed)
        yield structural(extent, name, real[name], number)


def structural(extent: Extent, name: str, content: bytes, number: int) -> Input:
    seed = f"{extent.seed}/structure/{number}"
    return Input(f"{name}/{seed}", partial(mutate_structure, content, seed, number // len(LAYOUTS)))


def cut(name: str, content: bytes, number: int) -> Input:
    size = number % len(content)
    return Input(f"{name}/cut/{size}", partial(bytes, memoryview(content)[:size]))


def has_fewer(read: Imported, original: Imported) -> bool:
    return read.event_count < original.event_count or read.call_count < original.call_count


ATTACK = Attack(
    name="damaged-dat",
    promise="Of a damaged trace.dat nothing is lost silently.",
    run=run,
)
