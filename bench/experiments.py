"""What comparisons of many traces are held to: how often they cry wolf, what they find, how fast they are.

    backend/.venv/bin/python bench/experiments.py            takes about half an hour on two cores
    backend/.venv/bin/python bench/experiments.py --short    a tenth of the rounds and of the traces

`make bench` runs it in full. It exits with 1 where a limit is broken.
"""

import json
import os
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path

import catalog
import numpy as np
from measure import quantile
from product import Product

from jitterscope.statistics.histogram import Histogram
from jitterscope.statistics.resampling import compare_quantiles

P99 = [Fraction(99, 100)]
SIDE = 20
PORT = int(os.environ.get("JITTERSCOPE_BENCH_PORT", "8141"))
SAMPLES = 1_000_000
# The bars of a cyclictest histogram: as many values as a summary keeps exactly.
BARS = 2_000
ASKS = 20
CATALOG = 100_000


def main() -> int:
    share = 0.1 if "--short" in sys.argv else 1.0
    rounds, traces = round(1_000 * share), round(200 * share)
    return max(
        limit(
            "A against A: called different",
            of_halves(rounds),
            0.06,
            lambda value: f"{value:.1%}",
        ),
        limit(
            "planted +10 % of p99: missed",
            1 - of_planted(rounds),
            0.10,
            lambda value: f"{value:.1%}",
        ),
        *times(traces, round(CATALOG * share)),
    )


def limit(name: str, value: float, most: float, text: Callable[[float], str]) -> int:
    """1 where the value is too large."""
    print(f"{name:<58} {text(value):>10}   at most {text(most)}", flush=True)
    return int(value > most)


def run(chance: np.random.Generator, slower: float = 1.0) -> Histogram:
    """2,000 samples of a run with a load of its own; of 2 in 100 the slow part takes longer."""
    values = 20_000 * chance.lognormal(0, 0.03) * (1 + chance.gamma(2, 0.05, 2_000))
    values[:40] *= 1.5 * slower
    distinct, counts = np.unique(values.astype(np.int64), return_counts=True)
    return Histogram(distinct, counts.astype(np.int64), is_exact=True)


def of_halves(rounds: int) -> float:
    """The share of random halves of one group that are called different."""
    chance = np.random.default_rng(1)
    group = [run(chance) for _ in range(2 * SIDE)]
    told = 0
    for _ in range(rounds):
        order = chance.permutation(2 * SIDE)
        halves = [group[at] for at in order[:SIDE]], [group[at] for at in order[SIDE:]]
        told += bool(compare_quantiles(halves, P99)[0].is_real)
    return told / rounds


def of_planted(rounds: int) -> float:
    """The share of pairs whose second side has a p99 that is a tenth longer, and is found to."""
    chance = np.random.default_rng(2)
    found = 0
    for _ in range(rounds):
        sides = (
            [run(chance) for _ in range(SIDE)],
            [run(chance, 1.1) for _ in range(SIDE)],
        )
        found += bool(compare_quantiles(sides, P99)[0].is_real)
    return found / rounds


def times(traces: int, listed: int) -> list[int]:
    """Loads a number of traces of a million samples; asks what pages of comparisons and the catalog ask."""
    chance = np.random.default_rng(3)
    with tempfile.TemporaryDirectory(prefix="jitterscope-bench-") as name:
        folder = Path(name)
        with Product(folder / "data", PORT) as product:
            sides: dict[str, list[str]] = {"before": [], "after": []}
            began = time.perf_counter()
            for number in range(traces):
                side = "before" if number % 2 else "after"
                path = folder / f"run{number:03}-{side}.txt"
                path.write_text(histogram(chance, 1.0 if side == "before" else 0.9))
                sides[side].append(product.load(path)["id"])
                path.unlink()
            print(f"{traces} traces of {SAMPLES:,} samples loaded in {time.perf_counter() - began:.0f} s")
            broken = asked(product, sides)
            catalog.fill(product.database_url, sides["before"][0], listed)
            print(f"{listed:,} more traces in the catalog")
            return broken + [
                limit(f"catalog, {name}, p95", p95(partial(product.time, path)), 0.1, seconds)
                for name, path in catalog.asks(product)
            ]


def asked(product: Product, sides: dict[str, list[str]]) -> list[int]:
    variants = [{"name": name, "traces": ids} for name, ids in sides.items()]
    body: dict[str, object] = {"measure": {"kind": "measured"}, "variants": variants}
    controls: dict[str, tuple[str, dict[str, object]]] = {
        "baseline the other way": ("compare", body | {"variants": variants[::-1]}),
        "one CPU": ("compare", body | {"where": {"cpu": 0}}),
        "one source": (
            "compare",
            body | {"measure": {"source": "cyclictest thread 0"}},
        ),
        "table by a word of names": ("compare", body | {"strata": ["word:2"]}),
        "table by CPU": ("compare", body | {"strata": ["cpu"]}),
        "the pictures": ("compare/distribution", body),
        "what can be compared": ("compare/measures", {"variants": variants}),
    }
    broken = [limit("first answer, p95", p95(partial(post, product, "compare", body)), 1.0, seconds)]
    for name, (path, wanted) in controls.items():
        taken = p95(partial(post, product, path, wanted))
        broken.append(limit(f"{name}, p95", taken, 0.3, seconds))
    return broken


def seconds(value: float) -> str:
    return f"{1_000 * value:.0f} ms"


def p95(ask: Callable[[], float]) -> float:
    return quantile([ask() for _ in range(ASKS)], 0.95)


def post(product: Product, path: str, body: dict[str, object]) -> float:
    """Seconds from sending the request to the last byte of the answer."""
    request = urllib.request.Request(  # noqa: S310 - http
        f"{product.url}/api/v1/{path}",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    began = time.perf_counter()
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - http
        answer.read()
    return time.perf_counter() - began


def histogram(chance: np.random.Generator, slower: float) -> str:
    """What `cyclictest -h` prints for one thread."""
    load = slower * 200 * chance.lognormal(0, 0.03)
    shares = np.bincount(
        np.minimum(chance.gamma(4, load / 4, SAMPLES // 10), BARS - 1).astype(np.int64),
        minlength=BARS,
    )
    counts = np.maximum(10 * shares, 1)
    counts[np.argmax(counts)] += SAMPLES - counts.sum()
    lines = [f"{at:06} {count:06}" for at, count in enumerate(counts)]
    ends = [
        f"# Total: {SAMPLES:09}",
        "# Min Latencies: 00000",
        f"# Max Latencies: {BARS - 1:05}",
    ]
    more = [
        "# Histogram Overflows: 00000",
        "# Histogram Overflow at cycle number:",
        "# Thread 0:",
        "",
    ]
    return "\n".join(["# Histogram", *lines, *ends, *more])


if __name__ == "__main__":
    sys.exit(main())
