"""The reader to beat: one regular expression over tracefs event text, in Python."""

import re
import sys
from pathlib import Path

#           <idle>-0     [001] d.h1.    13.000005: softirq_raise: vec=1 [action=TIMER]
LINE = re.compile(
    rb"^\s*(?P<comm>.{1,16})-(?P<pid>\d+)\s+\[(?P<cpu>\d+)\]\s+(?P<flags>\S+)\s+"
    rb"(?P<seconds>\d+)\.(?P<micros>\d+): (?P<event>[^:]+): (?P<args>.*)$"
)
FIELD = re.compile(rb"(\w+)=(\S+)")

Event = tuple[int, int, int, bytes, bytes, bytes, dict[bytes, bytes]]


def read(path: str) -> int:
    """The number of events in the file, each of which was held as a tuple with its arguments in a dict."""
    events: list[Event] = []
    count = 0
    with Path(path).open("rb") as lines:
        for line in lines:
            match = LINE.match(line)
            if match is None:
                continue
            t_ns = int(match["seconds"]) * 10**9 + int(match["micros"]) * 1000
            args = dict(FIELD.findall(match["args"]))
            events.append(
                (
                    t_ns,
                    int(match["cpu"]),
                    int(match["pid"]),
                    match["comm"],
                    match["flags"],
                    match["event"],
                    args,
                )
            )
            # A block at a time, as a program would that hands them on.
            if len(events) == 8192:
                count += len(events)
                events.clear()
    return count + len(events)


if __name__ == "__main__":
    print(read(sys.argv[1]))
