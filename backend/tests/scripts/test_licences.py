"""A licence that nobody decided about is refused, in whatever words its package names it."""

from pathlib import Path

import pytest
from licences import PERMISSIVE, notices, refusals
from locked_packages import Package, locked_names
from spdx import is_met


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("", False),
        ("MIT OR GPL-3.0-only", True),
        ("MIT AND GPL-3.0-only", False),
        ("GPL-2.0-only OR MIT AND GPL-3.0-only", False),
        ("GPL-2.0-only OR MIT AND ISC", True),
        ("(MIT OR GPL-2.0-only) AND (ISC OR GPL-2.0-only)", True),
        ("(MIT OR ISC) AND GPL-2.0-only", False),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("GPL-2.0-only WITH LLVM-exception", False),
    ],
)
def test_expressions(expression: str, expected: bool) -> None:
    assert is_met(expression, PERMISSIVE) is expected


@pytest.mark.parametrize("expression", ["MIT OR", "(MIT", "MIT)", "MIT ISC", "OR MIT"])
def test_what_is_no_expression(expression: str) -> None:
    with pytest.raises(ValueError, match="MIT"):
        is_met(expression, PERMISSIVE)


def check_refused(package: Package, expected: list[str]) -> None:
    assert refusals([package]) == expected


def test_refusals_name_the_package_and_its_use() -> None:
    check_refused(Package("npm", "good", "1.0.0", "MIT", is_shipped=True), [])
    check_refused(Package("npm", "tool", "1.0.0", "MPL-2.0"), [])
    check_refused(
        Package("npm", "part", "1.0.0", "MPL-2.0", is_shipped=True),
        ["npm: part 1.0.0, part of what is installed, is under MPL-2.0"],
    )
    check_refused(
        Package("crates.io", "silent", "2.0.0"),
        ["crates.io: silent 2.0.0, used for development, is under no licence that it names"],
    )
    check_refused(Package("PyPI", "psycopg", "3.0.0", "LGPL-3.0-only", is_shipped=True), [])
    check_refused(
        Package("PyPI", "psycopg", "3.0.0", "AGPL-3.0-only", is_shipped=True),
        ["PyPI: psycopg 3.0.0, part of what is installed, is under AGPL-3.0-only"],
    )


def test_notices_hold_each_text_once(tmp_path: Path) -> None:
    packages = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "LICENSE-MIT").write_text("Copyright somebody\n")
        packages.append(Package("npm", name, "1.0.0", "MIT", is_shipped=True, folder=tmp_path / name))
    written = notices([*packages, Package("npm", "tool", "1.0.0", "MIT")])
    assert "one 1.0.0 (npm): MIT\ntwo 1.0.0 (npm): MIT\n" in written
    assert written.count("Copyright somebody") == 1
    assert "one 1.0.0, two 1.0.0\n\nCopyright somebody" in written
    assert "tool" not in written


def test_all_lock_files_are_looked_at() -> None:
    names = {(ecosystem, name) for ecosystem, name, _ in locked_names()}
    assert {
        ("crates.io", "pyo3"),
        ("PyPI", "sqlalchemy"),
        ("npm", "react"),
        ("npm", "@playwright/test"),
    } <= names
    assert not {name for _, name in names if name.startswith(("ftrace", "jitterscope"))}
