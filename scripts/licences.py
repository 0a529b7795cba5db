"""Rejects locked packages whose licence is not in the list, or writes the notices of the shipped ones.

    backend/.venv/bin/python scripts/licences.py
    backend/.venv/bin/python scripts/licences.py --notices FILE

Needs no network: everything is in the lock files and in what scripts/setup has installed.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from locked_packages import Package, all_packages
from spdx import is_met

# These require no more than attribution.
PERMISSIVE = frozenset(
    {
        *("0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BlueOak-1.0.0", "BSD-2-Clause"),
        *("BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0", "NCSA", "PSF-2.0", "Python-2.0"),
        *("Unicode-3.0", "Unlicense", "Zlib"),
    }
)
# Copyleft per file: changes to the tool's own files would have to be published, and we make none.
TOOLS = PERMISSIVE | {"MPL-2.0"}
# Used unchanged: fonts, which may not be sold by themselves, and libraries that anybody can replace in the
# environment.
EXCEPTIONS = {
    "@fontsource-variable/inter": "OFL-1.1",
    "@fontsource-variable/jetbrains-mono": "OFL-1.1",
    "psycopg": "LGPL-3.0-only",
    "psycopg-binary": "LGPL-3.0-only",
    "psycopg-pool": "LGPL-3.0-only",
}


def refusals(packages: Iterable[Package]) -> list[str]:
    """One sentence for each package that must not be used."""
    found = []
    for package in packages:
        allowed = PERMISSIVE if package.is_shipped else TOOLS
        try:
            is_fine = EXCEPTIONS.get(package.name) == package.licence or is_met(package.licence, allowed)
        except ValueError:
            is_fine = False
        if not is_fine:
            use = "part of what is installed" if package.is_shipped else "used for development"
            found.append(
                f"{package.ecosystem}: {package.name} {package.version}, {use}, "
                f"is under {package.licence or 'no licence that it names'}"
            )
    return found


def notices(packages: Iterable[Package]) -> str:
    """The shipped packages with their licences, and each text once with all that it belongs to."""
    shipped = [package for package in packages if package.is_shipped]
    lines = ["Jitterscope contains or installs these packages.", ""]
    texts: dict[str, list[str]] = defaultdict(list)
    for package in shipped:
        lines.append(f"{package.name} {package.version} ({package.ecosystem}): {package.licence}")
        for text in package.licence_texts():
            texts[text].append(f"{package.name} {package.version}")
    for text, names in texts.items():
        lines += ["", "-" * 80, ", ".join(names), "", text]
    return "\n".join(lines) + "\n"


def main() -> None:
    packages = all_packages()
    match sys.argv[1:]:
        case ["--notices", file]:
            Path(file).write_text(notices(packages))
        case _ if refused := refusals(packages):
            sys.exit("\n".join([*refused, "decide about it in scripts/licences.py, or use something else"]))
        case _:
            print(f"the licences of {len(packages)} locked packages are in the list")


if __name__ == "__main__":
    main()
