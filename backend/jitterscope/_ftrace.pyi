"""The Rust core. Every function releases the GIL; times are integer nanoseconds from trace start."""

from typing import Literal

# --- Load path -------------------------------------------------------------------------------

class UnsupportedError(ValueError):
    """An upload that is not read. `place` holds `line` (from 1, or None) and `byte_offset` (from 0)."""

    code: str
    sentence: str
    remedy: str
    place: dict[str, int | None]

def sniff(head: bytes, size_bytes: int) -> str:
    """Name of the format of a file that begins with `head` (at least its first MiB, or all of it).

    Raises: UnsupportedError.
    """

def import_trace(input_fd: int, scratch_fd: int, output_fd: int, trace_key: int, limits_json: str) -> None:
    """Read the file and write its frames. The last one is the summary, or the error."""

def count_own_rows(trace_key: int, table: str, frame: bytes, start: int) -> int:
    """The number of rows in the COPY stream that begins at `start`, all of them of this trace.

    Raises: BlockError if a row has another key, the stream is damaged, or no parser fills the table.
    """

def confine(parent_pid: int) -> list[str]:
    """Give up, for good, what reading a file does not need. Returns the walls that the kernel put up:
    `own network`, `empty root`, `Landlock ABI <number>`, `seccomp`.

    No file can be opened afterwards, no process started or signalled, no memory made executable. The
    process dies with its parent.

    Raises: OSError if the parent is not `parent_pid` any more, or the kernel refuses what all kernels have.
    """

def catalog() -> str:
    """JSON object: `formats`, `diagnostics`, `analyses`, `slice_kinds`, `latencies`."""

# --- Read path -------------------------------------------------------------------------------
#
# `request` is the JSON object of an endpoint's query parameters under their public names, as they
# came in (strings) or already typed; absent and null are the same. It also holds what the answer
# needs to know of the trace: `"trace": {"origin_ns": "<decimal>", "duration_ns": int, "cpus": [int],
# "url": "<permalink>"}`: absent `start` and `end` are the whole trace, and stamps of the file count
# from the origin.
#
# A `bytes` argument is a complete binary COPY TO stream of the table that it is named after, with
# the columns that `table_columns()` lists, in that order, and rows in the order of the primary key.
# `b""` stands for no rows. Reading order of a request: `window` → `plan_*` with what the headers of
# the blocks in the window add up to → COPY of what the plan names → the answer.

class RequestError(ValueError):
    """A parameter that cannot be used: 422.

    `parameter` is its public name, `code` is stable (`bad_parameter`, `bad_filter`,
    `window_too_large`), `column` counts from 1 and is given for mistakes in `q`.
    """

    parameter: str
    code: str
    detail: str
    column: int | None

class BlockError(RuntimeError):
    """Stored bytes that are not what their table promises; the message names table, column, byte."""

def table_columns() -> str:
    """JSON object: table name → names of the columns to COPY, in order."""

def window(request: str) -> tuple[int, int]:
    """`(start_ns, end_ns)` of a request, half-open.

    Raises: RequestError.
    """

def plan_timeline(request: str, headers: str) -> str:
    """JSON `{"slices": [kind, ...], "rollups": [[kind, level], ...], "counters": bool}`: what to fetch.

    `headers` is JSON: `{"slices": [[kind, count], ...], "rollups": [[kind, level, width_ns], ...]}`,
    where count sums slice_block.count over the blocks that touch the window.
    Fetch slice_block of those kinds, rollup_block of those pairs, and counter_block if asked for,
    each as far as it touches the window.
    """

def timeline(
    request: str,
    slice_block: bytes,
    rollup_block: bytes,
    counter_block: bytes,
    task: bytes,
    symbol: bytes,
    counter: bytes,
    loss: bytes,
    note: bytes,
) -> bytes:
    """JSON answer of GET timeline. `loss` and `note` may be whole tables; only the window is used.

    Raises: RequestError, BlockError.
    """

def plan_calls(request: str, headers: str) -> str:
    """JSON `{"slices": [5] | [], "rollups": [[5, level]] | []}`; `headers` as in `plan_timeline`.

    Raises: RequestError `window_too_large` where only single calls can answer (pid, root, by=task)
    and the window holds too many.
    """

def calls(request: str, slice_block: bytes, rollup_block: bytes, task: bytes, symbol: bytes) -> bytes:
    """JSON answer of GET calls. A lane's own task is `lane_task_idx`; `task_idx` is a column.

    In lanes with `detail: buckets`, `call_id` is that of the longest call that touches the bucket.
    `flags`, where any call has one: 1 began before the file, 2 cut at its end, 4 events were lost
    inside, 8 callees left out by hand, 16 in a hard interrupt, 64 calls before it and 128 its last
    callees left out by hand.
    Raises: RequestError, BlockError.
    """

def plan_calltree(request: str, headers: str) -> str:
    """JSON `{"tree": bool, "slices": [5] | []}`: the stored tree, or single calls for a window."""

def calltree(request: str, calltree_block: bytes, slice_block: bytes, task: bytes, symbol: bytes) -> bytes:
    """JSON answer of GET calltree; `p50_ns` is null where merged nodes leave it unknown.

    With `invert`, roots are functions with their own time, over their callers (all spreads null);
    with `root` as well, that function stands alone at the top with its total time.
    Raises: RequestError, BlockError.
    """

def call(request: str, slice_block: bytes, task: bytes, symbol: bytes) -> bytes:
    """JSON `{call, callers}` of the call with the public id `request["id"]`; `null` if none has it.

    `slice_block` holds the blocks of kind 5 that touch `window(request)`, which for a request with
    an `id` is the first nanosecond of that call.
    Raises: RequestError, BlockError.
    """

def functions(request: str, function_stat: bytes, task: bytes, symbol: bytes) -> bytes:
    """JSON answer of GET functions. Raises: RequestError, BlockError."""

def wanted_in_blocks(request: str, task: bytes, event_type: bytes) -> bytes:
    """JSON `{"cpus": [cpu, ...] | null, "tasks": [idx, ...] | null, "types": [idx, ...] | null}`: what `cpu`,
    `pid`, `comm` and `event` leave, null where they leave all. A block that has none of a list has no match.

    Raises: RequestError.
    """

def plan_events(request: str, headers: str, holding: str) -> str:
    """JSON `{"blocks": [[block, first_seq], ...], ...}`: the event blocks of the next step of a page.

    `holding` is JSON of the numbers of the blocks that hold what `wanted_in_blocks` says, `null` for all.
    `headers` is JSON `[[block, t0, t1, count], ...]` of ALL event blocks of the trace, in order,
    because `seq` counts from the trace's first event. Hand the plan to `events` as it is.
    Raises: RequestError.
    """

def events(request: str, plan: str, event_block: bytes, task: bytes, event_type: bytes) -> bytes:
    """JSON answer of GET events: `{"items": [...], "next": cursor | null}`.

    A step looks at a bounded number of blocks, so a rare match can give a short page, even an empty
    one, with a `next`: ask on until the page is full, `next` is null, or the time is over.
    Raises: RequestError, BlockError.
    """

# Latencies. `explained` is a JSON object: the first sentence of every case that was explained, by id.

def latency_kinds(
    request: str,
    latency_kind: bytes,
    latency_incomplete: bytes,
    latency_case: bytes,
    event_type: bytes,
    task: bytes,
    symbol: bytes,
    explained: str,
) -> bytes:
    """JSON answer of GET latencies/kinds; all tables whole. Raises: RequestError, BlockError."""

def worst_latencies(
    request: str, latency_case: bytes, latency_kind: bytes, task: bytes, symbol: bytes, explained: str
) -> bytes:
    """JSON answer of GET latencies from the worst samples, which are kept apart; `null` if that takes more.

    Raises: RequestError, BlockError.
    """

class LatencyTables:
    """Whole tables that answers about latencies take besides the samples, and `explained`."""

    def __init__(
        self,
        task: bytes,
        symbol: bytes,
        explained: str,
        latency_kind: bytes,
        latency_incomplete: bytes,
        event_type: bytes,
    ) -> None: ...

class LatencyScan:
    """An answer from any number of samples, of which a few blocks are in memory at a time.

    Fetch the blocks of each step of `next_pass`, hand them to `add`, and go on until there is no next pass.
    """

    def __init__(
        self,
        purpose: Literal["list", "stats", "series", "check"],
        request: str,
        headers: str,
        tables: LatencyTables,
    ) -> None:
        """`headers` is JSON `{"samples": [[kind, block, t0, t1, count, max_ns], ...], "slices": [...]}` of
        ALL blocks of sample_block and slice_block; for a field that is read from events, `{"events": [[block,
        t0, t1, count], ...]}` of those that hold its events. Raises: RequestError, BlockError.
        """

    def next_pass(self) -> str | None:
        """JSON list of steps `{"samples": [[kind, block], ...], "slices": [...], "events": [block, ...]}`."""

    def add(self, sample_block: bytes, slice_block: bytes, event_block: bytes) -> bool:
        """Takes the blocks of the next step; true where those of the later ones are not needed.

        Raises: BlockError.
        """

    def answer(self) -> bytes:
        """JSON answer of GET latencies, latencies/stats or latencies/series, or of one check.

        Raises: BlockError.
        """

def field_series(request: str, event_type: bytes, event_field: bytes) -> bytes:
    """JSON of the field of events that a request or its `case` is about; `null` if it is about none.

    Hand it on as the request's `series`. If it says not `is_stored`, samples are read from the events of its
    `types`. Raises: RequestError, BlockError.
    """

def latency_check(request: str, latency_case: bytes, tables: LatencyTables) -> bytes:
    """JSON outcome of one check: `request` holds kind, filters, stat, op, value and min_count.

    JSON `null` where it takes the samples. Raises: RequestError, BlockError.
    """

def interference(request: str, interference: bytes, task: bytes, symbol: bytes) -> bytes:
    """JSON answer of GET interference. `isolated` of the request lists CPUs, as `isolcpus=` has it.

    Raises: RequestError, BlockError.
    """

# Explanations. `headers` is JSON as for `plan_latencies`, `event_headers` as for `plan_events`; `known` is
# JSON `{"switched_cpus": [cpu, ...]}`: the CPUs that have running tasks anywhere in the trace.

def plan_case(request: str, headers: str, series_headers: str) -> str:
    """JSON `{"samples": [[kind, block], ...], "slices": [...], "events": [block, ...]}`: where the request's
    `case` is to be found. `series_headers` is as `event_headers`, of the events whose field it is about.

    JSON `null` where the id names no case of any trace. Raises: RequestError.
    """

def locate_case(
    request: str,
    headers: str,
    event_headers: str,
    sample_block: bytes,
    slice_block: bytes,
    event_block: bytes,
    task: bytes,
    symbol: bytes,
) -> str:
    """JSON of the case with the blocks that explain it: `{"slices": [[kind, block], ...], "events": [block,
    ...], "start_ns", "end_ns", ...}`; `null` if there is none.

    Counters and stacks are wanted in [start_ns, end_ns]. Hand all of it to `case` as it is.
    Raises: RequestError, BlockError.
    """

def case(
    request: str,
    located: str,
    known: str,
    slice_block: bytes,
    event_block: bytes,
    counter_block: bytes,
    stack: bytes,
    loss: bytes,
    task: bytes,
    symbol: bytes,
    event_type: bytes,
    counter: bytes,
) -> bytes:
    """JSON answer of GET latencies/{case}. Raises: RequestError, BlockError."""

def plan_worst_cases(
    request: str, headers: str, event_headers: str, latency_case: bytes, task: bytes, symbol: bytes
) -> str:
    """JSON list of batches of cases with the blocks that explain them, in the keys of `locate_case`.

    Raises: RequestError, BlockError, RuntimeError.
    """

def explain_worst_cases(
    request: str,
    batch: str,
    known: str,
    slice_block: bytes,
    event_block: bytes,
    counter_block: bytes,
    loss: bytes,
    task: bytes,
    symbol: bytes,
    event_type: bytes,
    counter: bytes,
) -> bytes:
    """JSON `[{"kind", "rank", "id", "headline"}, ...]` of one of the batches.

    Raises: RequestError, BlockError, RuntimeError.
    """

# --- Comparisons -------------------------------------------------------------------------------

def group_symbols(request: str, symbol: bytes) -> str:
    """JSON list of the stored indices of `request["function"]`; empty where the trace has no such function.

    Raises: RequestError, BlockError.
    """

def choose_blocks(request: str, headers: str) -> str:
    """JSON `{"blocks": [[5, block], ...], "calls", "calls_read"}`: where the calls of a group are looked for.

    `request` names the group: function, cpu, pid, min, max, start, end. `headers` is JSON
    `[[kind, block, t0, t1, count, max_ns], ...]` of the blocks that hold the function.
    Raises: RequestError.
    """

def function_calls(request: str, slice_block: bytes, symbol: bytes) -> bytes:
    """Every call of `request["function"]` in the blocks, as `instances` and `choose_calls` take them.

    Raises: RequestError, BlockError.
    """

def instances(request: str, choice: str, calls: bytes, task: bytes) -> bytes:
    """JSON answer of GET functions/instances. `choice` is what `choose_blocks` said of the blocks of `calls`.

    Raises: RequestError, BlockError.
    """

def locate_call(request: str, headers: str, slice_block: bytes, task: bytes, symbol: bytes) -> str:
    """JSON `{"call": {...}, "blocks": [[5, block], ...]}` of `request["id"]`, or `null`.

    `slice_block` touches the call's first nanosecond, `headers` describes every block of calls.
    Raises: RequestError `window_too_large`, BlockError.
    """

def choose_calls(
    request: str,
    pick: str,
    abnormal: str,
    choice: str,
    headers: str,
    calls: bytes,
    task: bytes,
    symbol: bytes,
) -> str:
    """JSON `{"median": call, "members": [call], "spread", "notes", "blocks"}` of a group, or `null`.

    `pick` is `one` or `all`; `abnormal` is JSON `{"call", "group"}`: the call of the same trace that they are
    for, and the request that named its group, if any. `calls` is what `function_calls` found.
    Raises: RequestError `window_too_large`, BlockError.
    """

def diff_calls(
    request: str,
    url: str,
    abnormal: str,
    abnormal_streams: tuple[bytes, ...],
    normal: str,
    normal_streams: tuple[bytes, ...],
) -> bytes:
    """JSON answer of GET diff for calls; `request` has its noise_floor and limit, `url` is the page.

    A side is JSON `{"trace": {id, name, url, kernel, ...}, "call": call, "members": [call], "spread",
    "notes"}`; members and a spread make it a set. Its streams are blocks of calls, symbols, losses, blocks of
    counters around the call, and counters.
    Raises: RequestError `window_too_large`, BlockError.
    """

def plan_cases(request: str, headers: str) -> str:
    """JSON `{"samples": [[kind, block], ...], "slices": [...], ...}`: where cases of `request["kind"]` are.

    Hand all of it to `choose_cases` as it is. Raises: RequestError.
    """

def choose_cases(
    request: str,
    pick: str,
    abnormal: str,
    plan: str,
    headers: str,
    event_headers: str,
    sample_block: bytes,
    slice_block: bytes,
    task: bytes,
    symbol: bytes,
) -> str:
    """JSON `{"median": case, "members": [case], ...}` of a group of cases with the blocks of all of them, in
    the keys of `locate_case`; `null` where there is none.

    `pick` is `one` or `all`; `abnormal` is JSON of what is left out, if it is of the same trace:
    `{"located"}` (what `locate_case` said of a case) or `{"group"}` (the request that named a group).
    Raises: RequestError, BlockError.
    """

def diff_cases(
    request: str,
    url: str,
    abnormal: str,
    abnormal_streams: tuple[bytes, ...],
    normal: str,
    normal_streams: tuple[bytes, ...],
) -> bytes:
    """JSON answer of GET diff for cases. A side is JSON `{"trace", "located" | "chosen", "known",
    "origin_ns"}`.

    `located` is what `locate_case` said, `chosen` what `choose_cases` did, and `known` what `case` is told,
    all as texts; the streams are
    those of `case`, in its order.
    Raises: RequestError `window_too_large`, BlockError.
    """
