"""Exports over HTTP: whole and in time, in a slot, cut where the trace goes."""

import gzip
import re
from collections.abc import Callable, Mapping

import httpx2
import pytest
import zstandard

from jitterscope.api.export import file_name
from jitterscope.api.streams import best_encoding
from tests.api.service import Service

UNPACK: Mapping[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.decompress,
    "zstd": lambda packed: zstandard.ZstdDecompressor().decompressobj().decompress(packed),
}


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("", None),
        ("identity", None),
        ("gzip, deflate, br, zstd", "zstd"),
        ("gzip;q=1.0, ZSTD;q=0.5", "zstd"),
        ("gzip, zstd; q=0.000", "gzip"),
        ("zstd;q=0, gzip;q=0", None),
        ("gzipped, xzstd", None),
        (";;,,q=0", None),
    ],
)
def test_the_encoding_is_one_that_the_client_reads(accepted: str, encoding: str | None) -> None:
    assert best_encoding(accepted) == encoding


def _export(service: Service, trace_id: str, **query: str) -> httpx2.Response:
    return service.client.get(f"/api/v1/traces/{trace_id}/export", params=query)


def test_what_is_exported_as_text_is_the_same_trace_again(ready_trace: tuple[Service, str]) -> None:
    service, trace_id = ready_trace
    answer = _export(service, trace_id, format="ftrace")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert re.fullmatch(
        r'attachment; filename="[A-Za-z0-9._-]+\.ftrace\.txt"', answer.headers["content-disposition"]
    )
    again = service.ready(answer.content)
    events = "/api/v1/traces/{}/events?limit=1000"
    first = service.client.get(events.format(trace_id)).json()["items"]
    assert service.client.get(events.format(again)).json()["items"] == first


@pytest.mark.parametrize("name", ["ftrace", "perfetto", "chrome", "speedscope", "folded"])
def test_every_format_comes_compressed_or_not_and_is_the_same(
    ready_trace: tuple[Service, str], name: str
) -> None:
    service, trace_id = ready_trace
    path = f"/api/v1/traces/{trace_id}/export?format={name}"
    plain = service.client.get(path, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    for encoding, unpack in UNPACK.items():
        with service.client.stream("GET", path, headers={"Accept-Encoding": encoding}) as packed:
            assert packed.headers["content-encoding"] == encoding
            assert unpack(b"".join(packed.iter_raw())) == plain.content


def test_what_cannot_be_exported_is_refused_before_anything_is_sent(
    ready_trace: tuple[Service, str],
) -> None:
    service, trace_id = ready_trace
    unknown = _export(service, trace_id, format="ctf")
    assert (unknown.status_code, unknown.json()["code"]) == (422, "invalid_parameter")
    assert "perfetto" in unknown.json()["detail"]
    assert _export(service, trace_id, format="ftrace", start="9ms", end="1ms").status_code == 422
    assert _export(service, "a" * 12, format="ftrace").status_code == 404


def test_a_client_that_goes_gives_its_slot_back(ready_trace: tuple[Service, str]) -> None:
    service, trace_id = ready_trace
    path = f"/api/v1/traces/{trace_id}/export?format=chrome"
    for _ in range(6):
        with service.client.stream("GET", path) as answer:
            assert answer.status_code == 200
    assert service.client.get(path).status_code == 200


def test_names_of_files_are_fit_for_any_file_system() -> None:
    assert file_name('a/b: "c"\n.txt', "", "chrome.json") == "a-b-c-.txt.chrome.json"
    assert file_name("../..", "-part", "folded.txt") == "trace-part.folded.txt"
