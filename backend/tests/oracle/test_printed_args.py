"""What the product shows of every record of a trace.dat is what trace-cmd prints of it, or the kernel.

trace-cmd 3.1.6 has forms of its own for some events, and of some print formats it does not know the
constants. Where a record is shown otherwise, a second verdict from its raw fields (`kernel_text`) has to
agree with the product, and it knows these events only. `TRACES=folder` holds every trace.dat of a folder
against the installed trace-cmd.
"""

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import pytest

from tests.api.service import Service
from tests.oracle.kernel_text import Tables, kernel_text
from tests.oracle.test_oracle import PAGE
from tests.oracle.trace_cmd import Line, recordings, report_of


@pytest.mark.parametrize("path", recordings(), ids=lambda path: path.name)
def test_every_record_is_shown_as_the_kernel_prints_it(path: Path, service: Service, tmp_path: Path) -> None:
    report = report_of(path, tmp_path)
    if report is None:
        return
    trace_id = service.ready(path.read_bytes(), path.name)
    rows = zip_longest(_shown(service, trace_id), report.printed, report.raw)
    disputed = [row for row in rows if not _agree(report.tables, *row)]
    assert disputed[:10] == [], f"{len(disputed)} of {len(report.printed)}"


def _agree(tables: Tables, shown: Line | None, printed: Line | None, raw: Line | None) -> bool:
    """Whether the product and trace-cmd print the same of a record, or else the product and the kernel."""
    if not (shown and printed and raw):
        return False
    # Its plugins name tasks by the switches before; the kernel knows its saved names only.
    if shown.comm not in (printed.comm, raw.comm) or _place(shown) != _place(printed):
        return False
    if shown.args == printed.args:
        return True
    return kernel_text(shown.event, raw.args, printed.args, tables) == shown.args


def _place(line: Line) -> tuple[int, int, int, str]:
    return line.ns, line.cpu, line.pid, line.event


def _shown(service: Service, trace_id: str) -> Iterator[Line]:
    """All events of the trace in their order."""
    origin_ns = int(str(service.wait(trace_id)["origin_ns"]))
    params = {"limit": str(PAGE)}
    while True:
        response = service.client.get(f"/api/v1/traces/{trace_id}/events", params=params)
        assert response.status_code == 200, response.text
        page = response.json()
        for item in page["items"]:
            ns, comm = origin_ns + item["t"], item["comm"] or "<...>"
            yield Line(ns, item["cpu"], item["pid"], comm, item["event"], item["raw"])
        if page["next"] is None:
            return
        params["cursor"] = page["next"]
