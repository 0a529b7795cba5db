"""Comparisons by REST, asked and checked."""

import re

from jitterscope.schemas.diff import Diff, DiffContribution
from tests.api.service import Service


def compare(service: Service, abnormal: str, normal: str = "auto", **parameters: str | int) -> Diff:
    """The answer, checked against its schema; no nanosecond may be lost."""
    asked = {"abnormal": abnormal, "normal": normal, **parameters}
    response = service.client.get("/api/v1/diff", params=asked)
    assert response.status_code == 200, response.text
    found = Diff.model_validate_json(response.content)
    assert found.abnormal.duration_ns - found.normal.duration_ns == found.delta_ns
    assert sum(found.rows.self_delta_ns) + found.rows_hidden.delta_ns == found.delta_ns
    lists = found.contributions
    listed = sum(one.delta_ns for one in (*lists.only_one_side, *lists.slower))
    assert listed + lists.below_floor.delta_ns == found.delta_ns
    return found


def seen_of(one: DiffContribution) -> tuple[tuple[int, int], tuple[int, int]]:
    """In how many of all a contribution is, on the abnormal and on the normal side."""
    assert one.seen is not None
    abnormal, normal = one.seen.abnormal, one.seen.normal
    return (abnormal.seen, abnormal.of), (normal.seen, normal.of)


def text_of(service: Service, form: str, abnormal: str, normal: str = "auto") -> str:
    """The comparison as `html` or `text`."""
    asked = {"abnormal": abnormal, "normal": normal, "format": form}
    response = service.client.get("/api/v1/diff", params=asked)
    assert response.status_code == 200, response.text
    return response.text


def check_refused(service: Service, status: int, detail: str, **parameters: str) -> None:
    """What cannot be compared is said."""
    response = service.client.get("/api/v1/diff", params=parameters)
    assert response.status_code == status, response.text
    assert detail in response.json()["detail"]


def bare(text: str) -> str:
    """Text without its blanks."""
    return re.sub(r"\s", "", text)
