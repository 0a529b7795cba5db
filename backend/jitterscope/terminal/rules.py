"""Files of limits: a table `[[check]]` each, with the members that the checks of REST have.

Read without pydantic, which takes longer to load than most recordings take to be checked; a test holds
what is accepted here against `schemas.checks.Check`. What kinds, statistics and values there are is the
core's to say.
"""

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from jitterscope.terminal.recording import Refusal

# JSON as REST has it.
Rule = Mapping[str, Any]

_MOST_RULES = 100
_TEXT, _WHOLE = "a text", "a whole number"
_REQUIRED = ("kind", "stat", "op", "value")
_MEMBERS = {"kind": _TEXT, "field": _TEXT, "unit": _TEXT, "stat": _TEXT, "op": _TEXT, "min_count": _WHOLE}
_WHERE = {"cpu": _WHOLE, "pid": _WHOLE, "comm": _TEXT, "key": _TEXT, "priority_class": _TEXT}
_DEFAULTS: Rule = {
    "field": None,
    "unit": None,
    "baseline": None,
    "statistical": False,
    "min_traces": 1,
    "min_count": 1,
}
_OF_SERVERS = ("baseline", "statistical", "min_traces")


class BadRules(Refusal):
    """A file of rules that cannot be used."""


def read_rules(path: str) -> Sequence[Rule]:
    """The checks of a file, each with every member that REST shows.

    Raises: BadRules.
    """
    try:
        with open(path, "rb") as file:  # noqa: PTH123 (pathlib takes longer to load than recordings to read)
            found = tomllib.load(file)
        return _checks(found)
    except OSError as error:
        raise BadRules(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadRules(f"{path}: {error}") from error
    except BadRules as error:
        raise BadRules(f"{path}: {error}") from error


def _checks(found: Mapping[str, object]) -> Sequence[Rule]:
    checks = found.get("check")
    unknown = [name for name in found if name != "check"]
    if unknown:
        raise BadRules(f"{unknown[0]}: there are only tables [[check]]")
    if not isinstance(checks, list) or not checks or not all(isinstance(one, dict) for one in checks):
        raise BadRules("check: at least one table [[check]] is needed")
    if len(checks) > _MOST_RULES:
        raise BadRules(f"check: {len(checks)} checks; at most {_MOST_RULES} are allowed in one file")
    return [_rule(f"check.{number}", check) for number, check in enumerate(checks)]


def _rule(place: str, check: Mapping[str, object]) -> Rule:
    for name in check:
        if name in _OF_SERVERS:
            raise BadRules(f"{place}.{name}: only a server has baselines; upload the recording to it")
    _require_known(place, check, {**_MEMBERS, "value": "", "where": ""})
    for name in _REQUIRED:
        if name not in check:
            raise BadRules(f"{place}.{name}: is missing")
    for name, expected in _MEMBERS.items():
        _require(f"{place}.{name}", check.get(name), expected)
    if not isinstance(check["value"], str) and not _is_whole(check["value"]):
        raise BadRules(f"{place}.value: must be a duration with its unit in quotes, or a whole number")
    return {**_DEFAULTS, **check, "where": _where(f"{place}.where", check.get("where", {}))}


def _where(place: str, where: object) -> Rule:
    if not isinstance(where, dict):
        raise BadRules(f'{place}: must be a table, such as {{ comm = "cyclictest" }}')
    _require_known(place, where, _WHERE)
    for name, value in where.items():
        _require(f"{place}.{name}", value, _WHERE[name])
    return dict.fromkeys(_WHERE) | where


def _require_known(place: str, found: Mapping[str, object], known: Mapping[str, str]) -> None:
    for name in found:
        if name not in known:
            raise BadRules(f"{place}.{name}: there is no such member; there are {', '.join(known)}")


def _require(place: str, value: object, expected: str) -> None:
    if value is not None and not (_is_whole(value) if expected == _WHOLE else isinstance(value, str)):
        raise BadRules(f"{place}: must be {expected}")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
