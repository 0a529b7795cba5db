"""What is kept of traces is never older than what the database holds."""

import json
from collections.abc import Callable

from jitterscope.schemas.trace import TracePage
from tests.api.service import Service, client_of, running_worker, serving, trace_file

LIST = "/api/v1/traces?limit=50"


def trace_path(trace_id: str) -> str:
    return f"/api/v1/traces/{trace_id}"


def ready(service: Service, **form: str) -> str:
    with running_worker(service.settings):
        return service.ready(trace_file(), **form)


def relabel(service: Service, trace_id: str) -> None:
    changes = {"labels": {"board": "rpi", "old": None}}
    assert service.client.patch(trace_path(trace_id), json=changes).status_code == 200


def rename(service: Service, trace_id: str) -> None:
    assert service.client.patch(trace_path(trace_id), json={"name": "Another"}).status_code == 200


def label_many(service: Service, trace_id: str) -> None:
    deed = {"ids": [trace_id], "labels": {"kernel": "6.12", "board": None}}
    assert service.client.post("/api/v1/traces/selection/labels", json=deed).status_code == 200


def queue_again(service: Service, trace_id: str) -> None:
    assert service.client.post(f"{trace_path(trace_id)}/reload").status_code == 202


def load_again(service: Service, trace_id: str) -> None:
    with running_worker(service.settings):
        assert service.wait(trace_id)["status"] == "ready"


def upload_another(service: Service, trace_id: str) -> None:
    assert service.upload(trace_file(7), "another.txt").json()["id"] != trace_id


def delete(service: Service, trace_id: str) -> None:
    assert service.client.delete(trace_path(trace_id)).status_code == 204


CHANGES: tuple[Callable[[Service, str], None], ...] = (
    relabel,
    rename,
    label_many,
    queue_again,
    load_again,
    upload_another,
    delete,
)


def test_what_is_kept_is_what_a_new_server_answers(service: Service) -> None:
    trace_id = ready(service, labels='{"old": "1"}')
    lists: set[bytes] = set()
    for change in (lambda *_: None, *CHANGES):
        change(service, trace_id)
        with serving(service.settings) as fresh_url, client_of(fresh_url) as fresh:
            for path in (trace_path(trace_id), LIST):
                new = fresh.get(path)
                is_gone = change is delete and path != LIST
                assert new.status_code == (404 if is_gone else 200)
                for found in (service.client.get(path), service.client.get(path)):
                    assert found.status_code == new.status_code, (change, path)
                    expected = new.content.replace(fresh_url.encode(), service.base_url.encode())
                    assert is_gone or found.content == expected, (change, path)
        lists.add(service.client.get(LIST).content)
    assert len(lists) == 1 + len(CHANGES)


def test_a_page_is_put_together_as_its_schema_says(service: Service) -> None:
    for number in range(3):
        service.upload(trace_file(number), f"t{number}.txt", labels=json.dumps({"ä": '"</script>'}))
    for path in ("/api/v1/traces?limit=2", "/api/v1/traces", "/api/v1/traces?q=nothinghasit"):
        answered = service.client.get(path).content
        assert TracePage.model_validate_json(answered).model_dump_json(by_alias=True).encode() == answered


def test_what_has_not_changed_is_not_read_again(service: Service) -> None:
    trace_id = ready(service)
    for path in (trace_path(trace_id), LIST):
        assert service.client.get(path).status_code == 200
    # No change that the product makes: only one who reads the table again sees it.
    service.rows("INSERT INTO loss SELECT key, 0, 0, 0, 1, 1 FROM trace RETURNING 1")
    for path in (trace_path(trace_id), LIST):
        assert '"losses_total":0' in service.client.get(path).text
    rename(service, trace_id)
    for path in (trace_path(trace_id), LIST):
        assert '"losses_total":1' in service.client.get(path).text
