"""The built front end, and the reference page."""

import gzip
import re
from pathlib import Path

import pytest

from tests.api.service import Service, ServiceMaker

INDEX = '<!doctype html><script src="/assets/a.js"></script>'
SCRIPT = "console.log('a')\n" * 200


@pytest.fixture
def built(make_service: ServiceMaker, tmp_path: Path) -> Service:
    """A service with a front end of three files."""
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(INDEX, encoding="utf-8")
    (folder / "assets" / "a.js").write_text(SCRIPT, encoding="utf-8")
    (folder / "icon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    return make_service(frontend=folder)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/t/abcdefghijkl",
        "/t/abcdefghijkl/timeline",
        "/t/abcdefghijkl/cases/field.hrtimer_cb.delta-cpu6@14372733962000",
        "/settings",
    ],
)
def test_the_page_is_served_where_it_routes_itself(built: Service, path: str) -> None:
    response = built.client.get(path, headers={"Accept": "text/html"})
    assert response.status_code == 200
    assert response.text == INDEX
    policy = response.headers["content-security-policy"].split("; ")
    assert {"script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"} <= set(policy)
    assert response.headers["cache-control"] == "no-store"


def test_assets_are_kept_by_browsers_and_compressed(built: Service) -> None:
    response = built.client.get("/assets/a.js", headers={"Accept-Encoding": "gzip"})
    assert response.text == SCRIPT
    assert response.headers["content-encoding"] == "gzip"
    assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert response.headers["content-type"].startswith("text/javascript")
    plain = built.client.get("/assets/a.js", headers={"Accept-Encoding": "identity"})
    assert (plain.text, "content-encoding" in plain.headers) == (SCRIPT, False)
    assert built.client.get("/icon.svg").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    [
        "/assets/missing.js",
        "/assets/../../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/assets/..%5c..%5csecret.txt",
        "/secret.txt",
        "/api/v1/nothing",
        "/index.html.bak",
    ],
)
def test_nothing_else_is_served(built: Service, path: str) -> None:
    response = built.client.get(path, headers={"Accept": "text/html"})
    assert response.status_code == 404
    assert "secret" not in response.text


def test_without_a_build_the_page_says_so(idle_service: Service) -> None:
    response = idle_service.client.get("/")
    assert response.status_code == 503
    assert "/docs" in response.text


def test_the_reference_names_every_call_and_every_problem(idle_service: Service) -> None:
    page = idle_service.client.get("/docs")
    assert "<script" not in page.text
    assert page.headers["content-security-policy"].startswith("default-src 'none'; style-src 'self'")
    assert idle_service.client.get("/docs/reference.css").headers["content-type"].startswith("text/css")
    openapi = idle_service.client.get("/openapi.json").json()
    for path in openapi["paths"]:
        assert f">{path}</span>" in page.text
    problem = idle_service.client.get("/api/v1/traces/abcdefghijkl").json()
    anchor = problem["type"].removeprefix("/docs#")
    assert f"id='{anchor}'" in page.text
    assert "id='problem-lost_events'" in page.text
    prose = re.sub("<pre.*?</pre>", "", page.text, flags=re.DOTALL)
    assert "plain, <code>.gz</code>, <code>.xz</code> or" in prose
    assert "`" not in prose


def test_the_api_describes_its_problems(idle_service: Service) -> None:
    openapi = idle_service.client.get("/openapi.json").json()
    assert openapi["openapi"].startswith("3.")
    upload = openapi["paths"]["/api/v1/traces"]["post"]
    assert {"200", "202", "413", "415", "422", "507"} <= set(upload["responses"])
    assert "application/problem+json" in upload["responses"]["413"]["content"]
    assert {"multipart/form-data", "application/octet-stream"} == set(upload["requestBody"]["content"])


def test_compressed_pages_are_whole(built: Service) -> None:
    with built.client.stream("GET", "/assets/a.js", headers={"Accept-Encoding": "gzip"}) as response:
        body = b"".join(response.iter_raw())
    assert gzip.decompress(body).decode() == SCRIPT
