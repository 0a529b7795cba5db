"""Settings that keep a fresh start safe."""

from urllib.parse import quote

import pytest
from psycopg.conninfo import conninfo_to_dict
from pydantic import ValidationError

from jitterscope.settings import Settings, SettingsError, read_settings


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
    assert conninfo_to_dict(settings.conninfo) == {
        "host": "/run/x",
        "user": "u",
        "password": "p@",
        "dbname": "d",
    }
    assert "p%40" not in repr(settings)


@pytest.mark.parametrize(
    "password", ["two words", "a+b", "%20", "it's", "back\\slash", "a=b host=c", "&?/#:@"]
)
def test_any_password_reaches_the_driver(password: str) -> None:
    address = f"postgresql://u:{quote(password, safe='')}@h:5433/d?application_name=a%20b"
    settings = Settings.model_validate({"database_url": address, "sql_database_url": address})
    assert settings.sqlalchemy_url.password == password
    for conninfo in (settings.conninfo, settings.sql_conninfo or ""):
        assert conninfo_to_dict(conninfo) == {
            "host": "h",
            "port": "5433",
            "user": "u",
            "password": password,
            "dbname": "d",
            "application_name": "a b",
        }


def test_an_address_may_name_several_hosts() -> None:
    settings = Settings.model_validate({"database_url": "postgresql://u@/d?host=h1:1&host=h2:2"})
    parts = conninfo_to_dict(settings.conninfo)
    assert (parts["host"], parts["port"]) == ("h1,h2", "1,2")


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("JITTERSCOPE_PROT", "9000", "there is no setting JITTERSCOPE_PROT; did you mean JITTERSCOPE_PORT?"),
        ("JITTERSCOPE_MAX_UPLOAD_SIZE", "1", "did you mean JITTERSCOPE_MAX_UPLOAD_BYTES?"),
        ("jitterscope_quux", "1", "there is no setting jitterscope_quux; docs/settings.md lists all"),
        ("JITTERSCOPE_PORT", "x", "JITTERSCOPE_PORT is 'x': Input should be a valid integer"),
        (
            "JITTERSCOPE_PORT",
            "70000",
            "JITTERSCOPE_PORT is '70000': Input should be less than or equal to 65535",
        ),
        ("JITTERSCOPE_HOST", "0.0.0.0", "JITTERSCOPE_ACCESS_CONTROLLED=true"),  # noqa: S104 (refused)
        (
            "JITTERSCOPE_ALLOWED_HOSTS",
            "a,b",
            'JITTERSCOPE_ALLOWED_HOSTS is no JSON; write a list as ["one", "two"]',
        ),
        ("DATABASE_URL", "mysql://u:secret@h/d", "DATABASE_URL: must be an address such as postgresql://"),
        ("DATABASE_URL", "secret", "DATABASE_URL: must be an address such as postgresql://"),
    ],
)
def test_a_bad_setting_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, sentence: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as refused:
        read_settings()
    assert sentence in str(refused.value)
    assert "secret" not in str(refused.value)


def test_variables_of_tools_are_no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JITTERSCOPE_BENCH_LARGE", "10")
    monkeypatch.setenv("JITTERSCOPE_PORT", "9000")
    assert read_settings().port == 9000
