"""`make bench`: frames while lanes are panned and zoomed in a real browser, and what a frame costs.

CHROMIUM=/usr/bin/chromium make bench        the browser, where Playwright brings none
JITTERSCOPE_BENCH_LARGE=10 make bench        of a trace of so many million events
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from generate import write
from product import Product

BENCH = Path(__file__).parent
PORT = int(os.environ.get("JITTERSCOPE_BENCH_PORT", "8139"))
MILLION = 1_000_000
LARGE = int(os.environ.get("JITTERSCOPE_BENCH_LARGE", "1"))
# What is looked at, with the window's size and the longest that 95 of 100 frames may take on two cores.
PAGES = [
    ("events", LARGE * MILLION, "/timeline", (1280, 800), 20),
    ("wide", MILLION, "/timeline", (1920, 1080), 33),
    ("calls", LARGE * MILLION, "/calls", (1280, 800), 20),
]
# The share of the cost of a frame of ECharts, with an element a rectangle, that a frame of ours may take.
MOST_OF_ECHARTS = {5_000: 0.2, 20_000: 0.12}


def main() -> None:
    if not (BENCH.parent / "e2e" / "node_modules").is_dir():
        print("\nframes: not measured; `npm ci` in e2e/ installs what drives the browser")
        return
    print("\nframes, in a browser")
    for row in browser("rectangles"):
        show(
            f"{row['count']:,} rectangles: ours / ECharts with an element each",
            f"{row['lanes_ms']:.1f} / {row['elements_ms']:.0f} ms = {row['ratio']:.3f}",
            f"goal {MOST_OF_ECHARTS[row['count']]}",
        )
    with tempfile.TemporaryDirectory(prefix="jitterscope-frames-") as name:
        folder = Path(name)
        with Product(folder / "data", PORT) as product:
            for kind, count, view, size, goal_ms in PAGES:
                path = folder / f"{kind}.txt"
                with path.open("w") as out:
                    write(kind, count, out)
                measure_page(product, path, view, size, goal_ms)


def measure_page(product: Product, path: Path, view: str, size: tuple[int, int], goal_ms: int) -> None:
    trace = product.load(path)
    [row] = browser("page", f"{product.url}/t/{trace['id']}{view}", *map(str, size))
    what = f"{path.stem}{view}, {trace['event_count'] + trace['call_count']:,} records"
    show(
        f"{what} at {size[0]} x {size[1]}: frame p50 / p95",
        f"{row['frame_p50_ms']:.1f} / {row['frame_p95_ms']:.1f} ms",
        f"goal {goal_ms} ms",
    )
    show("  CPU of the page a frame", f"{row['cpu_ms_a_frame']:.1f} ms", "")
    show(
        "  tasks over 50 ms, the longest",
        f"{row['long_tasks']}, {row['longest_task_ms']:.0f} ms",
        "goal none",
    )


def browser(*arguments: str) -> list[dict[str, Any]]:
    """The rows that `frames.mjs` measured."""
    command = ["node", str(BENCH / "frames.mjs"), *arguments]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=sys.stderr, text=True)
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return rows


def show(name: str, value: str, goal: str) -> None:
    print(f"  {name:<72} {value:>24}  {goal}", flush=True)


if __name__ == "__main__":
    main()
