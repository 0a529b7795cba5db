"""Settings that keep a fresh start safe."""

import pytest
from pydantic import ValidationError

from jitterscope.settings import Settings


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7"])  # noqa: S104 (refused)
def test_other_addresses_need_access_control(host: str) -> None:
    with pytest.raises(ValidationError, match="JITTERSCOPE_ACCESS_CONTROLLED"):
        Settings(host=host)
    assert Settings(host=host, access_controlled=True).host == host


def test_limits_go_to_the_core_under_its_names() -> None:
    told = Settings(max_expanded_bytes=7).limits_json
    assert '"max_expanded_bytes":7' in told
    assert "database_url" not in told
    assert "parser" not in told


def test_the_database_is_reached_by_one_driver() -> None:
    settings = Settings.model_validate({"database_url": "postgres://u:p%40@h/d?host=/run/x"})
    assert settings.sqlalchemy_url.drivername == "postgresql+psycopg"
    assert settings.libpq_url == "postgresql://u:p%40@h/d?host=%2Frun%2Fx"
    assert "p%40" not in repr(settings)
