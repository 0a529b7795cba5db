"""The bill of materials says under which licence each of Python's packages is."""

import json
import subprocess
from pathlib import Path

from locked_packages import REPOSITORY, Package, python_packages
from sbom_licences import with_licences


def test_a_licence_is_that_of_the_same_version() -> None:
    packages = [Package("PyPI", "one", "2.0", "MIT OR Apache-2.0"), Package("PyPI", "mute", "1.0")]
    components = [{"name": "one", "version": "2.0"}, {"name": "one", "version": "1.0"}]
    components.append({"name": "mute", "version": "1.0"})
    first, *others = with_licences(components, packages)
    assert first == {"name": "one", "version": "2.0", "licenses": [{"expression": "MIT OR Apache-2.0"}]}
    assert others == components[1:]


def test_every_package_that_is_installed_has_a_licence(tmp_path: Path) -> None:
    uv = f"{REPOSITORY}/.tools/venv/bin/uv"
    written = tmp_path / "python.cdx.json"
    subprocess.run(
        [
            *(uv, "export", "--quiet", "--locked", "--no-dev", "--offline"),
            *(
                "--project",
                f"{REPOSITORY}/backend",
                "--format",
                "cyclonedx1.5",
                "--output-file",
                f"{written}",
            ),
        ],
        check=True,
        capture_output=True,
    )
    installed = {(package.name, package.version) for package in python_packages()}
    components = with_licences(json.loads(written.read_text())["components"], python_packages())
    here = [part for part in components if (part["name"], part["version"]) in installed]
    assert len(here) > 30
    assert [part["name"] for part in here if "licenses" not in part] == []
