"""What took the time of a window, by CPU and name."""

from jitterscope.schemas.slice_totals import SliceTotals
from tests.api.service import Service, trace_file


def totals_of(
    service: Service, trace_id: str, **parameters: str | int
) -> list[tuple[int, str, str, int, int]]:
    response = service.client.get(f"/api/v1/traces/{trace_id}/slice-totals", params=parameters)
    assert response.status_code == 200, response.text
    found = SliceTotals.model_validate_json(response.content)
    assert (found.next, found.left_out.rows) == (None, 0)

    def name(task_idx: int | None, symbol_idx: int | None) -> str:
        if task_idx is not None:
            return found.tasks[task_idx].comm
        return "" if symbol_idx is None else found.symbols[symbol_idx]

    return [
        (item.cpu, item.kind, name(item.task_idx, item.symbol_idx), item.count, item.total_ns)
        for item in found.items
    ]


def test_a_window_has_the_part_of_each_slice_inside(working_service: Service) -> None:
    trace_id = working_service.ready(trace_file(74))
    whole = totals_of(working_service, trace_id)
    assert (0, "sched", "rt", 1, 40_000) in whole
    assert (0, "irq", "eth74 [24]", 1, 15_000) in whole
    part = totals_of(working_service, trace_id, start=20_000, end=30_000)
    assert part == [(0, "sched", "rt", 1, 10_000), (0, "irq", "eth74 [24]", 1, 5_000)]
    assert totals_of(working_service, trace_id, cpu=1) == [row for row in whole if row[0] == 1]


def test_a_bad_window_is_refused(working_service: Service) -> None:
    trace_id = working_service.ready(trace_file(75))
    path = f"/api/v1/traces/{trace_id}/slice-totals"
    response = working_service.client.get(path, params={"start": "later"})
    assert [error["parameter"] for error in response.json()["errors"]] == ["start"]
