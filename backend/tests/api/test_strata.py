"""The table of an experiment: its rows and columns, and what is in no cell of a name."""

import statistics

import pytest

from jitterscope.schemas.compare import CompareAnswer
from jitterscope.schemas.strata import CompareStrata
from tests.api.recordings import idle_sleeps, wakeups
from tests.api.service import Service

_WAITS_US = {
    ("1ms", "idle"): [5, 6, 7],
    ("10ms", "idle"): [8, 9, 10, 11],
    ("100ms", "idle"): [12, 13],
    ("1s", "idle"): [30],
    ("10ms", "load"): [20, 40, 90],
}


@pytest.fixture(scope="module")
def sleepers(working_service: Service) -> Service:
    """One trace for each sleep length and load, and one with no labels of either."""
    traces = [({"sleep": sleep, "load": load}, waits) for (sleep, load), waits in _WAITS_US.items()]
    for labels, waits in [*traces, ({}, [50, 60])]:
        # Three samples at least, so that no two files are the same.
        trace_id = working_service.ready(wakeups(waits, comm="sleeper"))
        told = {"labels": {"experiment": "sleepers", **labels}}
        assert working_service.client.patch(f"/api/v1/traces/{trace_id}", json=told).status_code == 200
    return working_service


def _table(service: Service, strata: list[str]) -> CompareStrata:
    body = {
        "measure": {"kind": "wakeup"},
        "variants": [{"name": "all", "labels": {"experiment": "sleepers"}}],
        "strata": strata,
    }
    response = service.client.post("/api/v1/compare", json=body)
    assert response.status_code == 200, response.text
    answer = CompareAnswer.model_validate_json(response.content)
    again = service.client.get(answer.url)
    assert CompareAnswer.model_validate_json(again.content) == answer
    assert answer.strata is not None
    return answer.strata


def test_rows_and_columns_are_values_of_labels(sleepers: Service) -> None:
    table = _table(sleepers, ["label:sleep", "label:load"])
    assert table.rows.values == ["1ms", "10ms", "100ms", "1s", None]
    assert table.columns is not None
    assert table.columns.values == ["idle", "load", None]
    cells = {(cell.row, cell.column): cell for cell in table.cells}
    assert len(cells) == len(table.cells) == 6
    for (sleep, load), waits in [*_WAITS_US.items(), ((None, None), [50, 60])]:
        cell = cells[sleep, load]
        values = [us * 1000 for us in waits]
        assert (cell.variant, cell.traces, cell.count) == ("all", 1, len(waits))
        assert cell.mean_ns == round(statistics.mean(values))
        assert cell.stdev_ns == (round(statistics.stdev(values)) if len(values) > 1 else None)
        assert (cell.p50_ns, cell.max_ns) == (statistics.median_low(values), max(values))
        assert cell.max_url is not None
        case = sleepers.client.get(
            cell.max_url.replace("/t/", "/api/v1/traces/").replace("cases", "latencies")
        )
        assert case.json()["duration_ns"] == cell.max_ns


@pytest.mark.parametrize("by", ["cpu", "task"])
def test_groups_of_a_label_add_up_to_all(sleepers: Service, by: str) -> None:
    table = _table(sleepers, [by, "label:load"])
    whole = {cell.row: cell.count for cell in _table(sleepers, ["label:load"]).cells}
    assert table.columns is not None
    for load in table.columns.values:
        assert sum(cell.count for cell in table.cells if cell.column == load) == whole[load]
    assert {cell.row for cell in table.cells} == ({"0"} if by == "cpu" else {"sleeper"})


def test_samples_without_a_key_are_a_row_of_their_own(sleepers: Service) -> None:
    [cell] = _table(sleepers, ["key"]).cells
    waits = [us * 1000 for values in [*_WAITS_US.values(), [50, 60]] for us in values]
    assert (cell.row, cell.count, cell.traces) == (None, len(waits), 6)
    assert (cell.mean_ns, cell.stdev_ns) == (round(statistics.mean(waits)), round(statistics.stdev(waits)))
    assert (cell.p99_ns, cell.max_ns, cell.max_url) == (None, None, None)


def test_no_strata_no_table(sleepers: Service) -> None:
    body = {
        "measure": {"kind": "wakeup"},
        "variants": [{"name": "all", "labels": {"experiment": "sleepers"}}],
    }
    assert sleepers.client.post("/api/v1/compare", json=body).json()["strata"] is None


@pytest.mark.parametrize(
    ("strata", "where", "told"),
    [
        (["label:a", "label:b", "label:c"], {}, "2"),
        (["colour"], {}, "strata"),
        (["label:a", "label:a"], {}, "the same"),
        (["cpu", "task"], {}, "the other has to be a label"),
        (["task"], {"cpu": 0}, "one at a time"),
    ],
)
def test_tables_that_cannot_be_are_refused(
    sleepers: Service, strata: list[str], where: dict[str, int], told: str
) -> None:
    body = {
        "measure": {"kind": "wakeup"},
        "variants": [{"name": "all", "labels": {"experiment": "sleepers"}}],
        "strata": strata,
        "where": where,
    }
    response = sleepers.client.post("/api/v1/compare", json=body)
    assert response.status_code == 422, response.text
    assert told in response.text


def test_rows_are_words_of_names(sleepers: Service) -> None:
    ids = sleepers.client.get("/api/v1/traces", params={"label": "experiment:sleepers"}).json()["items"]
    for number, one in enumerate(ids):
        name = f"sleep-{('10ms', '1s', '1ms')[number % 3]}-6.12-rt{'.samples' if number else ''}"
        sleepers.client.patch(f"/api/v1/traces/{one['id']}", json={"name": name})
    table = _table(sleepers, ["word:2", "word:5"])
    assert table.rows.values == ["1ms", "10ms", "1s"]
    assert table.columns is not None
    assert table.columns.values == ["samples", None]
    assert sum(cell.traces for cell in table.cells) == 6
    assert _table(sleepers, ["word:3"]).rows.values == ["6.12"]
    assert _table(sleepers, ["word:40"]).rows.values == [None]


def test_samples_are_split_by_what_a_task_woke_to(working_service: Service) -> None:
    service = working_service
    ids = [
        service.ready(idle_sleeps([(1, 20)] * 8 + [(2, 60)] * 4)),
        service.ready(idle_sleeps([(1, 20)] * 2 + [(2, 70)] * 9)),
    ]
    variants = [{"name": name, "traces": [one]} for name, one in zip(("awake", "deep"), ids, strict=True)]
    offered = service.client.post("/api/v1/compare/measures", json={"variants": variants}).json()["measures"]
    [wakeup] = [one for one in offered if one["kind"] == "wakeup"]
    assert wakeup["splits"] == ["cpu", "task", "sleep", "idle_state"]
    found = {}
    for by in ("idle_state", "sleep"):
        body = {"measure": {"kind": "wakeup"}, "variants": variants, "strata": [by]}
        table = CompareAnswer.model_validate(service.client.post("/api/v1/compare", json=body).json()).strata
        assert table is not None
        found[by] = [(cell.variant, cell.row, cell.count, cell.mean_ns) for cell in table.cells]
    assert found["idle_state"] == [
        ("awake", "idle state 1", 8, 20_000),
        ("deep", "idle state 1", 2, 20_000),
        ("awake", "idle state 2", 4, 60_000),
        ("deep", "idle state 2", 9, 70_000),
    ]
    assert [(variant, row, count) for variant, row, count, _ in found["sleep"]] == [
        ("awake", "10 ms", 12),
        ("deep", "10 ms", 11),
    ]
