"""Evaluates SPDX licence expressions: `(MIT OR Apache-2.0) AND Unicode-3.0`."""

import re
from collections.abc import Collection

# An exception is part of its licence: Apache-2.0 WITH LLVM-exception
_TOKEN = re.compile(r"\(|\)|[\w.+-]+(?: WITH [\w.-]+)?")


def is_met(expression: str, licences: Collection[str]) -> bool:
    """True if these licences alone satisfy the expression; never for an empty one.

    Raises: ValueError if it cannot be read.
    """
    return bool(expression) and _Reader(expression, licences).read()


class _Reader:
    """AND binds more closely than OR."""

    def __init__(self, expression: str, licences: Collection[str]) -> None:
        self._expression = expression
        self._licences = licences
        self._tokens = _TOKEN.findall(expression)

    def read(self) -> bool:
        found = self._any_of()
        if self._tokens:
            raise self._error()
        return found

    def _any_of(self) -> bool:
        found = self._all_of()
        while self._takes("OR"):
            found = self._all_of() or found
        return found

    def _all_of(self) -> bool:
        found = self._single()
        while self._takes("AND"):
            found = self._single() and found
        return found

    def _single(self) -> bool:
        if self._takes("("):
            found = self._any_of()
            if not self._takes(")"):
                raise self._error()
            return found
        if self._tokens[:1] in ([], [")"], ["AND"], ["OR"]):
            raise self._error()
        return self._tokens.pop(0) in self._licences

    def _takes(self, wanted: str) -> bool:
        is_next = self._tokens[:1] == [wanted]
        del self._tokens[: int(is_next)]
        return is_next

    def _error(self) -> ValueError:
        return ValueError(f"no licence expression: {self._expression}")
