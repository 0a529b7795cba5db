"""Who may call, and what every answer carries."""

import pytest

from tests.api.service import Service, ServiceMaker

POLICY = "default-src 'none'; frame-ancestors 'none'"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", ""])
def test_a_foreign_host_is_refused(idle_service: Service, host: str) -> None:
    response = idle_service.client.get("/healthz", headers={"Host": host})
    assert (response.status_code, response.json()["code"]) == (421, "foreign_host")


def test_configured_names_are_known(make_service: ServiceMaker) -> None:
    service = make_service(base_url="https://jitter.example/", allowed_hosts=["other.example"])
    for host in ("jitter.example", "other.example:8443", "LOCALHOST", "[::1]:8000"):
        assert service.client.get("/healthz", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "PATCH"])
@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
def test_a_foreign_page_is_refused(idle_service: Service, method: str, origin: str) -> None:
    response = idle_service.client.request(method, "/api/v1/traces", headers={"Origin": origin})
    assert (response.status_code, response.json()["code"]) == (403, "foreign_origin")


FORM = "multipart/form-data; boundary=x"
BROWSER = "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/68.0"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://["},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"},
        {"Referer": "https://evil.example/page", "Content-Type": FORM},
        {"User-Agent": BROWSER, "Content-Type": FORM},
        {"User-Agent": BROWSER, "Content-Type": "text/plain;charset=utf-8"},
        {"User-Agent": BROWSER, "Content-Type": "application/x-www-form-urlencoded"},
        {"User-Agent": BROWSER},
    ],
)
def test_a_form_of_a_foreign_page_is_refused(idle_service: Service, headers: dict[str, str]) -> None:
    response = idle_service.client.post("/api/v1/traces", headers=headers, content=b"--x--")
    assert (response.status_code, response.json()["code"]) == (403, "foreign_origin")


@pytest.mark.parametrize(
    "headers",
    [
        {"User-Agent": "curl/8.5.0", "Content-Type": FORM},
        {"User-Agent": "curl/8.5.0", "Content-Type": "application/x-www-form-urlencoded"},
        {"User-Agent": BROWSER, "Content-Type": "application/json"},
        {"User-Agent": BROWSER, "Sec-Fetch-Site": "same-origin", "Content-Type": FORM},
        {"Content-Type": "application/octet-stream"},
    ],
)
def test_programs_and_our_page_are_not(idle_service: Service, headers: dict[str, str]) -> None:
    response = idle_service.client.post("/api/v1/traces", headers=headers, content=b"--x--")
    assert response.status_code in (415, 422)


def test_an_origin_has_the_scheme_of_the_address(make_service: ServiceMaker) -> None:
    service = make_service(base_url="https://jitter.example", allowed_hosts=["other.example"])

    def status(host: str, origin: str) -> int:
        return service.client.get("/healthz", headers={"Host": host, "Origin": origin}).status_code

    assert status("jitter.example", "https://jitter.example") == 200
    assert status("jitter.example", "http://jitter.example") == 403
    assert status("localhost", "http://localhost") == 200
    assert status("localhost", "https://localhost") == 403
    # Nobody has said how this one is reached.
    assert status("other.example", "https://other.example") == 200


def test_the_own_page_is_not(idle_service: Service) -> None:
    headers = {"Origin": idle_service.base_url, "Sec-Fetch-Site": "same-origin"}
    assert idle_service.client.get("/api/v1/traces", headers=headers).status_code == 200


def test_another_page_may_link_but_not_fetch(idle_service: Service) -> None:
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert idle_service.client.get("/healthz", headers=link).status_code == 200
    image = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
    assert idle_service.client.get("/healthz", headers=image).status_code == 403


@pytest.mark.parametrize("path", ["/healthz", "/api/v1/traces", "/api/v1/nothing", "/api/v1/traces/abc"])
def test_every_answer_is_locked_down(idle_service: Service, path: str) -> None:
    headers = idle_service.client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["content-security-policy"] == POLICY
    assert len(headers["x-request-id"]) == 16
    assert "access-control-allow-origin" not in headers
