"""Which kinds of latency and which tasks of a recording a command is about."""

from collections.abc import Sequence

from jitterscope.terminal.recording import Item, Parameters, Recording, Refusal

# More would bury the sentence that names them.
_MOST_NAMES = 8


class NothingMeasured(Refusal):
    """The recording has no such latency."""


def task_filter(recording: Recording, task: str | None) -> Parameters:
    """The filter of endpoints for a pid, a name, or both as in sentences: `cyclictest-913`."""
    if task is None:
        return {}
    if task.isdecimal():
        return {"pid": int(task)}
    whole: Parameters = {"comm": task}
    name, _, pid = task.rpartition("-")
    # `worker-1` may be the name itself.
    if not name or not pid.isdecimal() or _present(_kinds(recording, whole)):
        return whole
    return {"comm": name, "pid": int(pid)}


def present_kinds(recording: Recording, kind: str | None, tasks: Parameters) -> Sequence[Item]:
    """The kinds that were measured, with the worst case of each; one where a kind is asked for.

    Raises: NothingMeasured.
    """
    answer = _kinds(recording, tasks)
    kinds = _present(answer, kind)
    if not kinds:
        of_all = _present(_kinds(recording, {}), kind) if tasks else []
        reason = _nothing_of(recording, of_all[0]["kind"], tasks) if of_all else _nothing(answer, kind)
        raise NothingMeasured(f"{recording.name}: {reason}")
    return kinds


def _kinds(recording: Recording, tasks: Parameters) -> Sequence[Item]:
    kinds: Sequence[Item] = recording.ask("latency_kinds", tasks)["items"]
    return kinds


def _present(kinds: Sequence[Item], kind: str | None = None) -> Sequence[Item]:
    return [one for one in kinds if one["count"] and kind in {None, one["kind"]}]


def _nothing(kinds: Sequence[Item], kind: str | None) -> str:
    if kind is None:
        return (
            "no latency was measured; `trace-cmd record -e sched -e irq -e timer` records the events of most "
            "kinds, and docs/latencies.md says what each needs"
        )
    known = [one["kind"] for one in kinds]
    if kind not in known:
        return f"{kind!r} is no kind of latency; there are {', '.join(known)}"
    present = [one["kind"] for one in _present(kinds)]
    return f"there is no {kind} latency; this recording has {', '.join(present) or 'none'}"


def _nothing_of(recording: Recording, kind: str, tasks: Parameters) -> str:
    """Which tasks have a latency of the kind, where the one that was asked for has none."""
    task = "-".join(str(part) for part in tasks.values())
    groups = recording.ask("latency_stats", {"kind": kind, "group_by": "pid"})["groups"]
    names = [group["group"]["label"] for group in groups]
    more = len(names) - _MOST_NAMES
    rest = [f"{more} more"] if more > 0 else []
    return f"{task!r} has no {kind} latency; those that have one: {', '.join(names[:_MOST_NAMES] + rest)}"
