"""The packages of all lock files, for the audit and the licence check."""

import json
import re
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parent.parent
_BACKEND = REPOSITORY / "backend"
_OWN_PREFIXES = ("ftrace", "jitterscope")

# Names that authors used before Python's metadata had SPDX ids.
_OLD_NAMES = {
    "3-Clause BSD License": "BSD-3-Clause",
    "BSD 2-Clause License": "BSD-2-Clause",
    "ISC License": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "apache-2.0": "Apache-2.0",
}
# The metadata of these names no licence; the text that comes with them is this one.
_UNNAMED = {"resvg-py": "MIT"}
_LICENCE_FILE = re.compile(r"(licen[cs]e|copying|notice|unlicense)[\w.-]*", re.IGNORECASE)


@dataclass(frozen=True)
class Package:
    """One package of a lock file. `ecosystem` is OSV's name of its registry."""

    ecosystem: str
    name: str
    version: str
    # An SPDX expression; empty if the package names none.
    licence: str = ""
    # Whether users install it; other packages are only for building and testing.
    is_shipped: bool = False
    folder: Path | None = None

    def licence_texts(self) -> Iterator[str]:
        """The licence texts in the package, ordered by file name."""
        if self.folder is not None:
            for path in sorted(self.folder.iterdir()):
                if _LICENCE_FILE.fullmatch(path.name) and path.is_file():
                    yield path.read_text(errors="replace").strip()


def all_packages() -> list[Package]:
    """Every locked package of this platform, with its licence; needs what scripts/setup installs."""
    npm = [package for folder in ("frontend", "e2e") for package in npm_packages(REPOSITORY / folder)]
    return sorted(
        {*rust_packages(), *npm, *python_packages()}, key=lambda p: (p.ecosystem, p.name, p.version)
    )


def locked_names() -> set[tuple[str, str, str]]:
    """(ecosystem, name, version) of everything in the lock files, for all platforms."""
    found = set()
    for lock, ecosystem in (("Cargo.lock", "crates.io"), ("uv.lock", "PyPI")):
        for package in tomllib.loads((_BACKEND / lock).read_text())["package"]:
            if not package["name"].startswith(_OWN_PREFIXES):
                found.add((ecosystem, package["name"], package["version"]))
    for folder in ("frontend", "e2e"):
        found |= {(p.ecosystem, p.name, p.version) for p in npm_packages(REPOSITORY / folder)}
    return found


def rust_packages() -> Iterator[Package]:
    """Packages of Cargo.lock for this platform; those linked into the extension are shipped."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", _host()]
    answer = subprocess.run(command, check=True, capture_output=True, text=True, cwd=_BACKEND).stdout
    found = json.loads(answer)
    shipped = _linked(found["resolve"]["nodes"], found["packages"])
    for package in found["packages"]:
        if package["source"] is not None:
            yield Package(
                "crates.io",
                package["name"],
                package["version"],
                # MIT/Apache-2.0: the old syntax of Cargo.toml
                (package["license"] or "").replace("/", " OR "),
                package["id"] in shipped,
                Path(package["manifest_path"]).parent,
            )


def npm_packages(folder: Path) -> Iterator[Package]:
    """Packages of package-lock.json; those that the page is built from are shipped."""
    for path, package in json.loads((folder / "package-lock.json").read_text())["packages"].items():
        if path:
            yield Package(
                "npm",
                package.get("name") or path.rpartition("node_modules/")[2],
                package["version"],
                package.get("license", ""),
                not package.get("dev", False),
                folder / path if (folder / path).is_dir() else None,
            )


def python_packages() -> Iterator[Package]:
    """Packages of uv.lock that are installed here; the program's own dependencies are shipped."""
    shipped = _python_dependencies()
    for distribution in metadata.distributions(
        path=[str(p) for p in _BACKEND.glob(".venv/lib/*/site-packages")]
    ):
        described = distribution.metadata
        name = re.sub(r"[-_.]+", "-", described["Name"]).lower()
        if name.startswith(_OWN_PREFIXES):
            continue
        folders = [Path(str(distribution.locate_file(file))).parent for file in distribution.files or []]
        licences = [folder for folder in folders if folder.parts[-1] == "licenses"]
        information = [folder for folder in folders if folder.suffix == ".dist-info"]
        yield Package(
            "PyPI",
            name,
            distribution.version,
            _python_licence(described) or _UNNAMED.get(name, ""),
            name in shipped,
            next(iter(licences or information), None),
        )


def _python_licence(described: metadata.PackageMetadata) -> str:
    classifiers = [text.rpartition(" :: ")[2] for text in described.get_all("Classifier", [])]
    named = [*described.get_all("License-Expression", []), *described.get_all("License", [])]
    old = [_OLD_NAMES[text] for text in [*named, *classifiers] if text in _OLD_NAMES]
    return str(next(iter([*old, *named]), ""))


def _python_dependencies() -> set[str]:
    locked = {
        package["name"]: package for package in tomllib.loads((_BACKEND / "uv.lock").read_text())["package"]
    }
    found: set[str] = set()
    left = ["jitterscope"]
    while left:
        package = locked[left.pop()]
        extras = [needed for group in package.get("optional-dependencies", {}).values() for needed in group]
        for needed in [*package.get("dependencies", []), *extras]:
            if needed["name"] not in found:
                found.add(needed["name"])
                left.append(needed["name"])
    return found


def _linked(nodes: list[dict[str, Any]], packages: list[dict[str, Any]]) -> set[str]:  # Any: cargo's JSON
    """Ids of the packages linked into the extension."""
    needs = {node["id"]: node["deps"] for node in nodes}
    left = [package["id"] for package in packages if package["name"] == "ftrace_py"]
    found = set(left)
    while left:
        for dep in needs[left.pop()]:
            is_normal = any(kind["kind"] is None for kind in dep["dep_kinds"])
            if is_normal and dep["pkg"] not in found:
                found.add(dep["pkg"])
                left.append(dep["pkg"])
    return found


def _host() -> str:
    said = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True, cwd=_BACKEND).stdout
    return next(line.removeprefix("host: ") for line in said.splitlines() if line.startswith("host: "))
