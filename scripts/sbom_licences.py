"""Adds licences to the bill of materials of Python's packages, which uv writes from the lock file alone.

    backend/.venv/bin/python scripts/sbom_licences.py dist/sbom/python.cdx.json

Packages for other platforms or versions of Python are not installed here, and keep none.
"""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from locked_packages import Package, python_packages


def with_licences(
    components: list[dict[str, Any]], packages: Iterable[Package]
) -> list[dict[str, Any]]:  # Any: CycloneDX
    """The components, each with the SPDX expression of the package of its name and version."""
    licences = {(package.name, package.version): package.licence for package in packages}
    found = []
    for component in components:
        licence = licences.get((component["name"], component["version"]))
        found.append(component | ({"licenses": [{"expression": licence}]} if licence else {}))
    return found


def main() -> None:
    path = Path(sys.argv[1])
    document = json.loads(path.read_text())
    document["components"] = with_licences(document["components"], python_packages())
    path.write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    main()
