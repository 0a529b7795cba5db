"""`make bench`: what reading, loading, storing and looking cost, ratios first.

Every number is of this machine and this run; only ratios are worth comparing between machines.
CPU time is user and system of all processes that took part.

    JITTERSCOPE_BENCH_DAT=big.dat make bench     measures trace-cmd report against that file, too
    JITTERSCOPE_BENCH_LARGE=10 make bench        loads and looks at a trace of so many million events, too
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from generate import write
from measure import cpu_by_part, cpu_of, quantile
from product import Product

BENCH = Path(__file__).parent
PORT = int(os.environ.get("JITTERSCOPE_BENCH_PORT", "8139"))
MILLION = 1_000_000
# The product's own list of what a screen asks for: width in pixels of a large one.
SCREEN_PX = 1600
ZOOMS = {"whole trace": 1.0, "1 %": 0.01, "0.01 %": 0.0001}
ASKS = 40
CASES_OF_KIND = 20
# Millions of events of one more trace, which is too large for every run.
LARGE = int(os.environ.get("JITTERSCOPE_BENCH_LARGE", "0"))


@dataclass
class Report:
    """Lines to print: ratios at the top, what they were made from below."""

    ratios: list[tuple[str, str]] = field(default_factory=list)
    numbers: list[tuple[str, str]] = field(default_factory=list)

    def show(self) -> None:
        for title, rows in (("ratios", self.ratios), ("measured", self.numbers)):
            print(f"\n{title}")
            for name, value in rows:
                print(f"  {name:<58} {value:>14}")


def main() -> None:
    report = Report()
    with tempfile.TemporaryDirectory(prefix="jitterscope-bench-") as name:
        folder = Path(name)
        events = make(folder, "events", MILLION)
        calls = make(folder, "calls", MILLION)
        measure_reading(report, folder, events, calls)
        measure_trace_cmd(report)
        with Product(folder / "data", PORT) as product:
            trace = measure_loading(report, product, events, "1 M events")
            call_trace = measure_loading(report, product, calls, "1 M calls")
            measure_looking(report, product, trace, "timeline")
            measure_looking(report, product, call_trace, "calls")
            measure_latencies(report, product, trace)
            measure_cases(report, product, trace)
            if LARGE:
                measure_large(report, folder, product)
    report.show()


def make(folder: Path, kind: str, count: int) -> Path:
    path = folder / f"{kind}-{count // MILLION}m.txt"
    with path.open("w") as out:
        write(kind, count, out)
    return path


def parse(path: Path) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, str(BENCH / "parse_once.py"), str(path)], check=True, capture_output=True, text=True
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def measure_reading(report: Report, folder: Path, events: Path, calls: Path) -> None:
    ours = parse(events)
    regex_seconds = cpu_of([sys.executable, str(BENCH / "regex_reader.py"), str(events)])
    report.ratios.append(
        ("CPU of a Python re reader / ours (ours also analyses, encodes)", ratio(regex_seconds, ours))
    )
    report.numbers.append(("read, analyse, encode 1 M events: CPU", seconds(ours["cpu_seconds"])))
    report.numbers.append(
        ("  in megabytes of text a second of CPU", f"{megabytes(events) / ours['cpu_seconds']:.0f} MB/s")
    )
    report.numbers.append(("Python re reader, 1 M events: CPU", seconds(regex_seconds)))
    report.numbers.append(("read, analyse, encode 1 M calls: CPU", seconds(parse(calls)["cpu_seconds"])))
    many = parse(make(folder, "events", 5 * MILLION))
    report.ratios.append(
        ("peak memory of reading 5 M events / 1 M", f"{many['peak_bytes'] / ours['peak_bytes']:.2f}")
    )
    for count, result in ((1, ours), (5, many)):
        report.numbers.append(
            (f"peak memory of the reading process, {count} M events", mebibytes(result["peak_bytes"]))
        )
    report.numbers.append(
        ("  of which the interpreter before it starts", mebibytes(ours["interpreter_bytes"]))
    )


def measure_trace_cmd(report: Report) -> None:
    """`trace-cmd report` and we read the same trace.dat; it prints text, we analyse and encode."""
    program = shutil.which("trace-cmd")
    path = Path(
        os.environ.get("JITTERSCOPE_BENCH_DAT", BENCH.parent / "sample_traces" / "cyclictest-6.12-rt.dat")
    )
    if program is None:
        report.numbers.append(("trace-cmd report: not installed, not measured", ""))
        return
    theirs = cpu_of([program, "report", str(path)])
    ours = parse(path)
    report.ratios.append((f"CPU of trace-cmd report / ours, {path.name}", ratio(theirs, ours)))
    report.numbers.append((f"trace-cmd report of {path.name}: CPU", seconds(theirs)))
    report.numbers.append((f"read, analyse, encode {path.name}: CPU", seconds(ours["cpu_seconds"])))
    for name, arguments in {"why": [], "convert": ["--to", "perfetto", "-o", os.devnull]}.items():
        spent = cpu_of([sys.executable, "-m", "jitterscope", name, str(path), *arguments])
        report.ratios.append((f"CPU of jitterscope {name} / trace-cmd report", f"{spent / theirs:.2f}"))


def measure_loading(report: Report, product: Product, path: Path, what: str) -> dict[str, Any]:
    """Uploads a file and waits until it is ready; the trace object."""
    bytes_before = product.stored_bytes()
    cpu_before = cpu_by_part(os.getpid())
    trace = product.load(path)
    cpu_after = cpu_by_part(os.getpid())
    cpu_seconds = {part: spent - cpu_before.get(part, 0) for part, spent in cpu_after.items()}
    stored = product.stored_bytes() - bytes_before
    count = trace["event_count"] + trace["call_count"]
    report.ratios.append((f"bytes of text / bytes stored, {what}", f"{path.stat().st_size / stored:.1f}"))
    report.numbers.append(
        (f"load {path.name}: CPU of all processes, upload included", seconds(sum(cpu_seconds.values())))
    )
    report.numbers.extend((f"  {part}", seconds(spent)) for part, spent in sorted(cpu_seconds.items()))
    report.numbers.append((f"stored bytes a record, {what}", f"{stored / count:.1f} B"))
    return trace


def measure_looking(report: Report, product: Product, trace: dict[str, Any], view: str) -> None:
    """Asks for windows of three sizes, spread evenly over the trace."""
    medians = {}
    for name, share in ZOOMS.items():
        window_ns = max(1, int(trace["duration_ns"] * share))
        last_start_ns = trace["duration_ns"] - window_ns
        starts = [last_start_ns * number // (ASKS - 1) for number in range(ASKS)]
        paths = [
            f"/api/v1/traces/{trace['id']}/{view}?start={start}&end={start + window_ns}&width={SCREEN_PX}"
            for start in starts
        ]
        taken_ms = [product.time(path) * 1000 for path in paths]
        medians[name] = quantile(taken_ms, 0.5)
        report.numbers.append(
            (
                f"{view}, {name}: p50 / p95 of {ASKS}",
                f"{medians[name]:.0f} / {quantile(taken_ms, 0.95):.0f} ms",
            )
        )
    report.ratios.append(
        (f"{view}: whole trace / smallest window, p50", f"{medians['whole trace'] / medians['0.01 %']:.1f}")
    )


def measure_latencies(report: Report, product: Product, trace: dict[str, Any]) -> None:
    """Asks for the worst cases, and for what takes every sample of the commonest kind."""
    path = f"/api/v1/traces/{trace['id']}/latencies"
    kinds = product.ask(f"{path}/kinds")["items"]
    commonest = max(kinds, key=lambda kind: kind["count"])
    of_kind = f"kind={commonest['kind']}"
    asks = {
        "worst 20 of all kinds": path,
        f"worst 20 of CPU 1, {commonest['kind']}": f"{path}?{of_kind}&cpu=1",
        "kinds": f"{path}/kinds",
        f"statistics by CPU, {commonest['count']} samples": f"{path}/stats?{of_kind}&group_by=cpu",
        f"over time, {commonest['count']} samples": f"{path}/series?{of_kind}&width={SCREEN_PX}",
    }
    for name, ask in asks.items():
        taken_ms = [product.time(ask) * 1000 for _ in range(ASKS)]
        report.numbers.append(
            (
                f"latencies, {name}: p50 / p95 of {ASKS}",
                f"{quantile(taken_ms, 0.5):.0f} / {quantile(taken_ms, 0.95):.0f} ms",
            )
        )


def measure_cases(report: Report, product: Product, trace: dict[str, Any]) -> None:
    """Opens the worst cases of every kind."""
    path = f"/api/v1/traces/{trace['id']}/latencies"
    kinds = [kind["kind"] for kind in product.ask(f"{path}/kinds")["items"] if kind["count"]]
    lists = [product.ask(f"{path}?kind={kind}&limit={CASES_OF_KIND}")["items"] for kind in kinds]
    cases = [case["id"] for items in lists for case in items]
    taken_ms = [product.time(f"{path}/{quote(case)}") * 1000 for case in cases]
    report.numbers.append(
        (
            f"opening a case: p50 / p95 of {len(cases)}",
            f"{quantile(taken_ms, 0.5):.0f} / {quantile(taken_ms, 0.95):.0f} ms",
        )
    )


def measure_large(report: Report, folder: Path, product: Product) -> None:
    """What must not grow with the trace: memory of reading, the worst cases, opening one; and what may."""
    path = make(folder, "events", LARGE * MILLION)
    report.numbers.append(
        (f"peak memory of the reading process, {LARGE} M events", mebibytes(parse(path)["peak_bytes"]))
    )
    trace = measure_loading(report, product, path, f"{LARGE} M events")
    measure_latencies(report, product, trace)
    measure_cases(report, product, trace)


def ratio(seconds_of_other: float, ours: dict[str, Any]) -> str:
    return f"{seconds_of_other / ours['cpu_seconds']:.1f}"


def seconds(value: float) -> str:
    return f"{value:.2f} s"


def mebibytes(value: float) -> str:
    return f"{value / (1 << 20):.0f} MiB"


def megabytes(path: Path) -> float:
    return path.stat().st_size / 1e6


if __name__ == "__main__":
    main()
