"""Saved comparisons: found again by their permalink, listed, changed and deleted."""

import concurrent.futures
from typing import Any

import pytest

from jitterscope.schemas.experiments import ExperimentAnswer, ExperimentPage
from jitterscope.store.experiments import EXPERIMENTS
from tests.api.recordings import wakeups
from tests.api.service import Service

PATH = "/api/v1/experiments"
COMPARISON: dict[str, Any] = {
    "measure": {"kind": "wakeup"},
    "variants": [{"name": "before", "traces": ["abcdefghijkl"]}, {"name": "after", "labels": {"side": "b"}}],
    "strata": ["label:sleep"],
}


def _saved(service: Service, name: str, **more: object) -> ExperimentAnswer:
    response = service.client.post(PATH, json={"name": name, "comparison": COMPARISON, **more})
    assert response.status_code == 201, response.text
    return ExperimentAnswer.model_validate_json(response.content)


def _listed(service: Service, **query: str | int) -> ExperimentPage:
    response = service.client.get(PATH, params=query)
    assert response.status_code == 200, response.text
    return ExperimentPage.model_validate_json(response.content)


def test_what_was_saved_is_found_by_its_permalink(service: Service) -> None:
    saved = _saved(service, "  Isolated CPU 1 · before/after ", note="rpi5\n5 runs", view={"form": "shelves"})
    assert (saved.slug, saved.name) == ("isolated-cpu-1-before-after", "Isolated CPU 1 · before/after")
    assert saved.url == f"{service.base_url}/experiments/{saved.slug}"
    found = service.client.get(f"{PATH}/{saved.slug}")
    assert ExperimentAnswer.model_validate_json(found.content) == saved
    assert found.json()["comparison"]["variants"][1]["labels"] == {"side": "b"}
    assert (saved.variants, saved.trace_count, saved.view) == (["before", "after"], None, {"form": "shelves"})


def test_its_comparison_is_what_compare_takes(working_service: Service) -> None:
    ids = [working_service.ready(wakeups([10 + run] * 50, comm="saved")) for run in range(2)]
    body = {
        "measure": {"kind": "wakeup"},
        "variants": [{"name": "a", "traces": ids[:1]}, {"name": "b", "traces": ids[1:]}],
    }
    saved = working_service.client.post(PATH, json={"name": "Two", "comparison": body}).json()
    assert saved["trace_count"] == 2
    answer = working_service.client.post("/api/v1/compare", json=saved["comparison"])
    assert [one["samples"] for one in answer.json()["variants"]] == [50, 50]
    # A trace that was deleted since is named, and those that are left can be looked at.
    working_service.client.delete(f"/api/v1/traces/{ids[0]}")
    gone = working_service.client.post("/api/v1/compare", json=saved["comparison"])
    assert (gone.status_code, gone.json()["detail"]) == (404, f"There is no trace {ids[0]!r}.")
    left = working_service.client.post("/api/v1/compare/measures", json={"variants": body["variants"]}).json()
    assert [one["missing"] for one in left["variants"]] == [[ids[0]], []]
    assert [len(one["traces"]) for one in left["variants"]] == [0, 1]


def test_names_may_be_the_same_and_addresses_are_not(service: Service) -> None:
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        slugs = [one.slug for one in pool.map(lambda _: _saved(service, "Tick"), range(6))]
    assert sorted(slugs) == ["tick", *(f"tick-{number}" for number in range(2, 7))]
    assert _saved(service, "日本").slug == "experiment"
    assert _saved(service, "x", slug="my-own").slug == "my-own"
    again = service.client.post(PATH, json={"name": "x", "slug": "my-own", "comparison": COMPARISON})
    assert (again.status_code, again.json()["code"]) == (409, "slug_taken")


def test_a_list_has_the_last_changed_first_and_can_be_searched(service: Service) -> None:
    slugs = [_saved(service, f"Run {number}", note="Board rpi5").slug for number in range(5)]
    assert [one.slug for one in _listed(service).items] == slugs[::-1]
    service.client.patch(f"{PATH}/{slugs[0]}", json={"note": "100 % other_"})
    assert [one.slug for one in _listed(service, q="RUN rpi5").items] == slugs[:0:-1]
    assert [one.slug for one in _listed(service, q="other_").items] == slugs[:1]
    assert _listed(service, q="_%").items == []
    page = _listed(service, limit=2)
    seen = [one.slug for one in page.items]
    while page.next is not None:
        page = _listed(service, limit=2, cursor=page.next)
        seen += [one.slug for one in page.items]
    assert seen == [slugs[0], *slugs[:0:-1]]


def test_it_is_renamed_and_its_permalink_stays(service: Service) -> None:
    slug = _saved(service, "First", note="kept").slug
    other = {**COMPARISON, "measure": {"source": "cyclictest thread 0"}}
    patched = service.client.patch(f"{PATH}/{slug}", json={"name": "Second", "comparison": other}).json()
    assert (patched["slug"], patched["name"], patched["note"]) == ("first", "Second", "kept")
    assert service.client.get(f"{PATH}/{slug}").json() == patched
    assert patched["measure"] == {"kind": None, "field": None, "source": "cyclictest thread 0"}
    assert service.client.delete(f"{PATH}/{slug}").status_code == 204
    for response in (
        service.client.get(f"{PATH}/{slug}"),
        service.client.delete(f"{PATH}/{slug}"),
        service.client.patch(f"{PATH}/{slug}", json={"name": "Third"}),
    ):
        assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_there_is_a_most(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EXPERIMENTS, "most", 1)
    _saved(service, "One")
    more = service.client.post(PATH, json={"name": "Two", "comparison": COMPARISON})
    assert (more.status_code, more.json()["code"]) == (409, "too_many_experiments")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"name": ""}, "name"),
        ({"name": "\u202e\u200b"}, "name"),
        ({"slug": "A b"}, "slug"),
        ({"slug": "../x"}, "slug"),
        ({"note": "a\0"}, "note"),
        ({"view": {"v": "\0"}}, "view"),
        ({"view": {"__proto__": "x"}}, "view"),
        ({"comparison": {"measure": {"kind": "wakeup"}, "variants": []}}, "comparison"),
        ({"comparison": COMPARISON | {"where": {"comm": "a\0"}}}, "comparison"),
        ({"comparison": COMPARISON | {"measure": {"kind": "a\0"}}}, "comparison"),
        ({"comparison": COMPARISON | {"variants": [{"name": "a\0", "traces": ["b"]}]}}, "comparison"),
    ],
)
def test_what_means_nothing_is_refused(service: Service, change: dict[str, Any], named: str) -> None:
    response = service.client.post(PATH, json={"name": "x", "comparison": COMPARISON} | change)
    assert response.status_code == 422, response.text
    assert response.json()["errors"][0]["parameter"].startswith(named)
    assert _listed(service).items == []
    assert service.client.get(PATH, params={"cursor": "WyJ4IiwieSJd"}).status_code == 422
