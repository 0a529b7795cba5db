"""Queries OSV, the open database of known vulnerabilities, for every package in the lock files.

    backend/.venv/bin/python scripts/audit.py [--strict]

OSV includes what RustSec, GitHub and PyPI publish, so one query covers crates, npm and PyPI. Exits with 1 if
a version has a known vulnerability that is not accepted. If OSV cannot be reached, it says that nothing was
audited, and exits with 0, or with 3 if --strict is given.

OSV_ADDRESS selects a mirror.
"""

import json
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Iterable, Mapping

from locked_packages import locked_names

ADDRESS = "https://api.osv.dev"
# The most queries that OSV accepts at once.
BATCH = 1_000
ANSWER_SECONDS = 30.0

# Id: why it is harmless here, and what would change that.
ACCEPTED: Mapping[str, str] = {}

WAY_OUT = "update it, or accept it with a reason"

Name = tuple[str, str, str]


def known_vulnerabilities(names: Iterable[Name], address: str) -> dict[Name, list[str]]:
    """Ids of the vulnerabilities of each (ecosystem, name, version) that has any.

    Raises: OSError if OSV does not answer.
    """
    found: dict[Name, list[str]] = {}
    ordered = sorted(names)
    for start in range(0, len(ordered), BATCH):
        batch = ordered[start : start + BATCH]
        questions = [
            {"package": {"ecosystem": ecosystem, "name": name}, "version": version}
            for ecosystem, name, version in batch
        ]
        results = _post(f"{address}/v1/querybatch", {"queries": questions})["results"]
        if len(results) != len(batch):
            raise OSError(f"{address} gave {len(results)} answers to {len(batch)} questions")
        for name, result in zip(batch, results, strict=True):
            if ids := [vulnerability["id"] for vulnerability in result.get("vulns", [])]:
                found[name] = ids
    return found


def _post(url: str, body: object) -> dict[str, list[dict[str, list[dict[str, str]]]]]:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})  # noqa: S310 - http
    with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:  # noqa: S310 - http
        content: dict[str, list[dict[str, list[dict[str, str]]]]] = json.load(answer)
    return content


def main() -> int:
    names = locked_names()
    address = os.environ.get("OSV_ADDRESS", ADDRESS)
    try:
        found = known_vulnerabilities(names, address)
    except (OSError, ValueError) as error:
        print(f"NOT AUDITED: {len(names)} locked packages, since {address} does not answer: {error}")
        return 3 if "--strict" in sys.argv[1:] else 0
    refused = 0
    for (ecosystem, name, version), ids in found.items():
        for identifier in ids:
            reason = ACCEPTED.get(identifier)
            refused += reason is None
            print(f"{ecosystem}: {name} {version} has {identifier}: {reason or WAY_OUT}")
    print(f"audited {len(names)} locked packages: {refused} known vulnerabilities that are not accepted")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
