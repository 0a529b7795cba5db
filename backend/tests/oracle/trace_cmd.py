"""What trace-cmd says of a trace.dat: its report, the raw fields of the same records, and its tables."""

import os
import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import zstandard

from jitterscope.run.samples import SAMPLES
from tests.oracle.kernel_text import Tables
from tests.oracle.test_oracle import REPORTS, text_of

SAMPLE = SAMPLES / "cyclictest-6.12-rt.dat"

# `       rt:        trace-cmd-20913 [002] 852655.067718354: sched_switch:         trace-cmd:20913 [120] ...`
# Of several instances each line begins with one. Of a clock that counts no seconds the times have no point.
LINE = re.compile(
    r"""(?:\s*\S+:\s{2,})?\s*(?P<comm>.*?)-(?P<pid>\d+)\s+\[(?P<cpu>\d{3,})\]\s+
    (?:(?P<seconds>\d+)\.(?P<nanoseconds>\d{9})|(?P<ticks>\d+)):\s+(?P<event>\w+):\s*(?P<args>.*)""",
    re.VERBOSE,
)
NO_RECORD = re.compile(r"cpus=\d+$|CPU:\d+ \[")
# Calls are no events of the product, and a report folds the two ends of the innermost into one line.
CALLS = ("funcgraph_entry", "funcgraph_exit")


@dataclass(frozen=True)
class Line:
    """A record as a report has it."""

    ns: int
    cpu: int
    pid: int
    comm: str
    event: str
    args: str


@dataclass(frozen=True)
class Report:
    """A recording, by trace-cmd."""

    # `-t`, and `-t -R` with the raw fields and without what trace-cmd's plugins know.
    printed: list[Line]
    raw: list[Line]
    tables: Tables


def recordings() -> list[Path]:
    """The sample trace, and all trace.dat files below the folder that `TRACES` names, packed or not."""
    folder = os.environ.get("TRACES")
    return [SAMPLE, *sorted(Path(folder).rglob("*.dat*"))] if folder else [SAMPLE]


def report_of(path: Path, folder: Path) -> Report | None:
    """What trace-cmd says of a recording; `None` of a text inside, which is the kernel's own.

    `folder` takes the file where it is packed.
    """
    if path == SAMPLE:
        return _report_of_sample()
    plain = path
    if path.suffix == ".zst":
        plain = folder / path.stem
        with zstandard.ZstdDecompressor().stream_reader(BytesIO(path.read_bytes())) as packed:
            plain.write_bytes(packed.read())
    printed = _run("report", "-t", str(plain))
    if re.search(r"^# tracer: ", printed, re.MULTILINE):
        return None
    raw = _run("report", "-t", "-R", str(plain))
    formats, kallsyms = (_run("dump", f"--{what}", "-i", str(plain)) for what in ("events", "kallsyms"))
    return Report(_lines(printed), _lines(raw), Tables(formats, kallsyms))


def _report_of_sample() -> Report:
    """The sample's report is stored, so that trace-cmd need not be installed."""
    stored = REPORTS[SAMPLE.name]
    raw = stored.with_name(f"{SAMPLE.stem}.report-t-R.txt.zst")
    # Of the formats only that with which a verdict asks for the kernel's own macro.
    formats = stored.with_name(f"{SAMPLE.stem}.sched_switch.format").read_text()
    return Report(_lines(text_of(stored)), _lines(text_of(raw)), Tables(formats, kallsyms=""))


def _run(*arguments: str) -> str:
    command = ["trace-cmd", *arguments]
    output = subprocess.run(command, check=True, capture_output=True).stdout
    # As the product shows bytes that are no text: `\xa8`.
    return output.decode(errors="backslashreplace")


def _lines(text: str) -> list[Line]:
    return [line for line in _records(text.split("\n")) if line.event not in CALLS]


def _records(lines: Iterable[str]) -> Iterator[Line]:
    """Records with the lines that belong to them: frames of stacks, and line ends inside of markers."""
    found: re.Match[str] | None = None
    more: list[str] = []
    for line in lines:
        begins = LINE.fullmatch(line)
        if begins:
            if found:
                yield _record(found, more)
            found, more = begins, []
        elif not NO_RECORD.match(line):
            more.append(line)
    if found:
        yield _record(found, more)


def _record(found: re.Match[str], more: list[str]) -> Line:
    ns = int(found["ticks"] or found["seconds"] + found["nanoseconds"])
    # A stack is told by its first line; blanks at the end are not kept.
    args = found["args"] if found["event"] == "kernel_stack" else "\n".join([found["args"], *more])
    cpu, pid = int(found["cpu"]), int(found["pid"])
    return Line(ns, cpu, pid, found["comm"].strip(), found["event"], args.rstrip())
