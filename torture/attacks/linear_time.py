"""Texts at the limits of one thing each, short and long: what a byte costs must not grow with the length."""

from attack import Attack, Extent, Outcome
from importing import Imported, Input, import_each
from shapes import SHAPES, Shape

# How much longer the long text is, and how many times more a byte of it may cost. Tables that outgrow the
# caches make it about twice; a path that is quadratic makes it GROWTH times.
GROWTH = 16
MAX_COST_GROWTH = 4.0
# Less than that is noise.
LEAST_SECONDS = 0.01
# Plain events take about 0.03 s.
MAX_SECONDS_PER_MIB = 0.5


def run(extent: Extent) -> Outcome:
    outcome = Outcome()
    lines = extent.pick(3_000, 25_000)
    slowest, worst = ("", 0.0), ("", 0.0)
    texts = [text(name, shape, lines * factor) for name, shape in SHAPES.items() for factor in (1, GROWTH)]
    # One after the other: a busy neighbour makes caches cold.
    reads = iter(list(import_each(texts, processes=1)))
    for name in SHAPES:
        outcome.tried += 1
        short, long = next(reads), next(reads)
        outcome.require(holds=not long.is_broken, otherwise=f"{name}: {long.outcome}: {long.error}")
        growth = per_byte(long) / per_byte(short)
        per_mib = long.cpu_seconds / long.size_bytes * (1 << 20)
        slowest, worst = max(slowest, (name, per_mib), key=second), max(worst, (name, growth), key=second)
        is_linear = growth <= MAX_COST_GROWTH or long.cpu_seconds < GROWTH * LEAST_SECONDS
        outcome.require(
            holds=is_linear,
            otherwise=f"{name}: {GROWTH} times the bytes, {growth:.1f} times the cost of each",
        )
        is_cheap = per_mib <= MAX_SECONDS_PER_MIB
        outcome.require(holds=is_cheap, otherwise=f"{name}: {per_mib:.2f} s of CPU for a MiB")
    outcome.figures = [
        (f"most growth: {worst[0]}", f"{worst[1]:.2f} times"),
        (f"dearest: {slowest[0]}", f"{slowest[1]:.3f} s/MiB"),
    ]
    return outcome


def text(name: str, shape: Shape, lines: int) -> Input:
    return Input(name, lambda: shape(lines).encode())


def per_byte(read: Imported) -> float:
    return max(read.cpu_seconds, LEAST_SECONDS) / read.size_bytes


def second(pair: tuple[str, float]) -> float:
    return pair[1]


ATTACK = Attack(
    name="linear-time",
    promise="What it takes to read a file goes with its bytes, whatever is in them.",
    run=run,
)
