"""Gives a new installation its sample traces, through the door that every trace comes in by."""

import json
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from jitterscope.shipped import shipped_folder

SAMPLES = shipped_folder("sample_traces")
UPLOAD_SECONDS = 60.0
# What the marker says until the last sample has been sent.
_BEGUN = "begun\n"


@dataclass(frozen=True)
class Sample:
    """A recording that comes with the program: its file, and the name it gets in the catalog."""

    path: Path
    name: str


def list_samples(folder: Path = SAMPLES) -> Iterator[Sample]:
    """The samples that `samples.toml` names, in its order; none if the folder is missing."""
    index = folder / "samples.toml"
    if index.exists():
        for entry in tomllib.loads(index.read_text())["sample"]:
            yield Sample(folder / entry["file"], entry["name"])


def upload_samples(address: str, marker: Path, store: Path) -> Iterator[str]:
    """Sends the samples to the service at `address`: once, then never again. Yields what there is to say.

    `marker` is the file that remembers it, so that a sample which a user deletes stays deleted. Where
    `store` holds recordings already, as after a move, there are none to send.
    Raises: OSError if the service does not answer.
    """
    if marker.exists() and marker.read_text() != _BEGUN:
        return
    if not marker.exists() and any(store.glob("[0-9a-f][0-9a-f]/*")):
        marker.touch()
        return
    marker.write_text(_BEGUN)
    count = 0
    # The catalog shows the newest first, and the first of the index is the one to open first.
    for sample in reversed(list(list_samples())):
        try:
            _upload(address, sample)
            count += 1
        except urllib.error.HTTPError as refusal:
            yield f"{sample.path.name} was refused: {json.load(refusal).get('detail', refusal)}"
    marker.write_text("")
    if count:
        yield f"{count} sample traces are being loaded"


def _upload(address: str, sample: Sample) -> None:
    answer = _send(
        "POST",
        f"{address}/api/v1/traces?filename={quote(sample.path.name)}",
        sample.path.read_bytes(),
        "application/octet-stream",
    )
    named = json.dumps({"name": sample.name, "labels": {"sample": "yes"}}).encode()
    _send("PATCH", f"{address}/api/v1/traces/{json.loads(answer)['id']}", named, "application/json")


def _send(method: str, url: str, body: bytes, content_type: str) -> bytes:
    request = urllib.request.Request(url, body, {"Content-Type": content_type}, method=method)  # noqa: S310 - http
    with urllib.request.urlopen(request, timeout=UPLOAD_SECONDS) as answer:  # noqa: S310 - http
        content: bytes = answer.read()
    return content
