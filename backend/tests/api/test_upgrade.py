"""A data folder from before files had descriptions next to them."""

import pytest

from jitterscope.embedded import EmbeddedPostgres
from tests.api.recordings import wakeups
from tests.api.service import Service, client_of, own_database, running_worker, serving, settings_for
from tests.api.test_adoption import described
from tests.api.test_backup import answers, files_of
from tests.api.test_loading import until


def test_traces_without_descriptions_stay_and_are_described(
    postgres: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_for(tmp_path_factory.mktemp("upgraded"), own_database(postgres, "upgraded"), {})
    monkeypatch.setenv("DATABASE_URL", settings.database_url.get_secret_value())
    with serving(settings) as base_url, client_of(base_url) as client, running_worker(settings):
        service = Service(settings, client, base_url)
        ready = [service.ready(wakeups([3, 4]), "one.txt"), service.ready(wakeups([5, 90, 7]), "late.txt")]
        change = {"name": "the late one", "labels": {"board": "rpi5"}}
        assert service.client.patch(f"/api/v1/traces/{ready[1]}", json=change).status_code == 200
        before, told = answers(service, ready), described(service)
    queued = leave_without_descriptions(service)
    with serving(settings) as base_url, client_of(base_url) as client:
        service = Service(settings, client, base_url)
        assert answers(service, ready) == before
        assert described(service)[:2] == told
        with running_worker(settings):
            assert service.wait(queued)["status"] == "ready"
            until(
                lambda: len(files_of(settings.store_folder)) == 6,
                "three recordings, each with its description",
            )
        assert answers(service, ready) == before


def leave_without_descriptions(service: Service) -> str:
    """Id of a trace that waits to be loaded."""
    with serving(service.settings) as base_url, client_of(base_url) as client:
        queued = Service(service.settings, client, base_url).upload(wakeups([8]), "queued.txt").json()["id"]
    for path in service.stored_files():
        if path.suffix == ".json":
            path.unlink()
    assert len(service.stored_files()) == 3
    return str(queued)
