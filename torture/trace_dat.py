"""Small valid trace.dat files to damage, in every layout that trace-cmd writes."""

import itertools
import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import zstandard

MAGIC = b"\x17\x08\x44tracing"

_COMMON = """\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

"""
_SWITCH, _WAKING, _PACKET, _PRINT, _ENTRY, _EXIT, _STACK = 316, 318, 120, 5, 11, 10, 4


@dataclass(frozen=True)
class Layout:
    """How a recording is laid out. `tracer` is `events`, `graph` or `latency`."""

    name: str
    version: int = 6
    is_big: bool = False
    long_bytes: int = 8
    page_bytes: int = 4096
    codec: str = "none"
    tracer: str = "events"
    cpu_count: int = 2
    # Events on each page of a CPU.
    pages: tuple[int, ...] = (40, 7, 23)
    has_instance: bool = False
    has_statistics: bool = True


LAYOUTS = (
    Layout("v6"),
    Layout("v6-few", pages=(4,), has_statistics=False),
    Layout("v6-big-endian", is_big=True, long_bytes=4, pages=(30, 30)),
    Layout("v6-instance", has_instance=True, pages=(5, 5)),
    Layout("v6-graph", tracer="graph", pages=(40, 8, 24), has_statistics=False),
    Layout("v6-64k", page_bytes=65536, pages=(300,), has_statistics=False),
    Layout("v6-many-pages", cpu_count=3, pages=(40,) * 6),
    Layout("v6-latency", tracer="latency"),
    Layout("v7", version=7, cpu_count=3),
    Layout("v7-few", version=7, pages=(4,), has_statistics=False),
    Layout("v7-big-endian", version=7, is_big=True, long_bytes=4, pages=(30, 30)),
    Layout("v7-64k", version=7, page_bytes=65536, pages=(300, 200)),
    Layout("v7-instance", version=7, has_instance=True),
    Layout("v7-zlib", version=7, codec="zlib"),
    Layout("v7-zstd-many-chunks", version=7, codec="zstd", cpu_count=3, pages=(40,) * 9),
    Layout("v7-zstd", version=7, codec="zstd", cpu_count=4, has_instance=True),
    Layout("v7-zstd-graph", version=7, codec="zstd", tracer="graph", pages=(40, 8, 24), has_statistics=False),
    Layout("v7-latency", version=7, codec="zstd", tracer="latency"),
)


def build(layout: Layout) -> bytes:
    """A valid recording, the same each time."""
    return _Builder(layout).build()


class _Builder:
    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.order = ">" if layout.is_big else "<"

    def pack(self, kinds: str, *values: int) -> bytes:
        return struct.pack(self.order + kinds, *values)

    def long(self, value: int) -> bytes:
        return self.pack("Q" if self.layout.long_bytes == 8 else "I", value)

    def build(self) -> bytes:
        head = MAGIC + b"%d\0" % self.layout.version + bytes([self.layout.is_big, self.layout.long_bytes])
        head += self.pack("I", self.layout.page_bytes)
        return self.version_6(head) if self.layout.version == 6 else self.version_7(head)

    # --- records

    def entry(self, data: bytes, delta: int) -> bytes:
        data += bytes(-len(data) % 4)
        words = len(data) // 4
        header = self.word(words if words <= 28 else 0, delta)
        return header + data if words <= 28 else header + self.pack("I", len(data) + 4) + data

    def word(self, type_len: int, delta: int) -> bytes:
        return self.pack("I", type_len << 27 | delta if self.layout.is_big else delta << 5 | type_len)

    def event(self, number: int, cpu: int) -> bytes:
        # The CPU switches between the two, as events 1 and 6 of ten say.
        worker, idle = (b"worker", 100 + cpu), (b"swapper/%d" % cpu, 0)
        (comm, pid), (next_comm, next_pid) = (worker, idle) if 2 <= number % 10 <= 6 else (idle, worker)
        common = self.pack("BBi", 1, 0, pid)
        match number % 5:
            case 0:
                waking = b"rt-task".ljust(16, b"\0") + self.pack("iii", 200 + number % 3, 49, cpu)
                data = self.pack("H", _WAKING) + common + waking
            case 1:
                # Without its table of CPUs, the name of the idle task tells whose page it is.
                switch = comm.ljust(16, b"\0") + self.pack("iiq", pid, 120, 1)
                switch += next_comm.ljust(16, b"\0") + self.pack("ii", next_pid, 120)
                data = self.pack("H", _SWITCH) + common + switch
            case 2:
                data = self.pack("H", _PACKET) + common + self.pack("iI", 1500, 5 << 16 | 16) + b"eth0\0"
            case 3:
                data = self.pack("H", _PRINT) + common + self.long(0xFFFF0100) + b"cycle %d done\n\0" % number
            case _:
                frames = b"".join(self.long(0xFFFF0100 + 0x100 * frame) for frame in range(3))
                data = self.pack("H", _STACK) + common + self.pack("i", 3) + self.pad_long() + frames
        return data

    def pad_long(self) -> bytes:
        return bytes(4) if self.layout.long_bytes == 8 else b""

    def graph(self, number: int, cpu: int) -> bytes:
        common = self.pack("BBi", 1, 0, 77 + cpu)
        depth = (0, 1, 1, 0)[number % 4]
        function = 0xFFFF0100 + 0x100 * depth
        if number % 4 in (0, 1):
            return self.pack("H", _ENTRY) + common + self.long(function) + self.pack("i", depth)
        times = self.pack("QQ", 1000 * (number - (number % 4 - 2) * 2), 1000 * number + 900)
        return self.pack("H", _EXIT) + common + self.long(function) + times + self.pack("Ii", 0, depth)

    def page(self, cpu: int, first: int, count: int) -> bytes:
        is_graph = self.layout.tracer == "graph"
        numbers = range(first, first + count)
        records = [self.graph(number, cpu) if is_graph else self.event(number, cpu) for number in numbers]
        start_ns = 1_000_000 + first * 1_000 + cpu * 7
        data = b"".join(self.entry(record, 1_000) for record in records)
        page = self.pack("Q", start_ns) + self.long(len(data)) + data
        return page.ljust(self.layout.page_bytes, b"\0")

    def cpu_pages(self) -> list[bytes]:
        """The pages of each CPU, one behind the other."""
        cpus = []
        for cpu in range(self.layout.cpu_count):
            pages, first = [], 0
            for count in self.layout.pages:
                pages.append(self.page(cpu, first, count))
                first += count
            cpus.append(b"".join(pages))
        return cpus

    # --- what describes them

    def format(self, name: str, number: int, fields: str, print_fmt: str) -> bytes:
        offset, lines = 8, []
        for field in fields.split(";"):
            declared, size, *align = field.strip().rsplit(":")
            size_bytes = self.layout.long_bytes if size == "long" else int(size)
            alignment = int(align[0]) if align else max(min(size_bytes, self.layout.long_bytes), 1)
            alignment = self.layout.long_bytes if size == "0" else alignment
            offset += -offset % alignment
            lines.append(f"\tfield:{declared};\toffset:{offset};\tsize:{size_bytes};\tsigned:0;\n")
            offset += size_bytes
        text = f"name: {name}\nID: {number}\nformat:\n{_COMMON}{''.join(lines)}\nprint fmt: {print_fmt}\n"
        return self.pack("Q", len(text)) + text.encode()

    def own_formats(self) -> list[bytes]:
        return [
            self.format("kernel_stack", _STACK, "int size:4;unsigned long caller[]:0", '""'),
            self.format(
                "print", _PRINT, "unsigned long ip:long;char buf[]:0", '"%ps: %s", REC->ip, REC->buf'
            ),
            self.format("funcgraph_entry", _ENTRY, "unsigned long func:long;int depth:4", '""'),
            self.format(
                "funcgraph_exit",
                _EXIT,
                "unsigned long func:long;unsigned long long calltime:8;unsigned long long rettime:8;"
                "unsigned int overrun:4;int depth:4",
                '""',
            ),
        ]

    def sections(self) -> list[tuple[int, bytes]]:
        """The metadata in the order of version 6, by the ids of version 7."""
        head_bytes = 8 + self.layout.long_bytes
        data_bytes = self.layout.page_bytes - head_bytes
        page = (
            "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
            f"\tfield: local_t commit;\toffset:8;\tsize:{self.layout.long_bytes};\tsigned:1;\n"
            f"\tfield: char data;\toffset:{head_bytes};\tsize:{data_bytes};\tsigned:1;\n"
        ).encode()
        event = b"# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n"
        header = b"header_page\0" + self.pack("Q", len(page)) + page
        header += b"header_event\0" + self.pack("Q", len(event)) + event
        switch = (
            "char prev_comm[16]:16:1;pid_t prev_pid:4;int prev_prio:4;long prev_state:8:4;"
            "char next_comm[16]:16:1;pid_t next_pid:4;int next_prio:4"
        )
        switch_print = (
            '"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s ==> '
            'next_comm=%s next_pid=%d next_prio=%d", '
            "REC->prev_comm, REC->prev_pid, REC->prev_prio, "
            '__print_flags(REC->prev_state, "|", { 0x01, "S" }), '
            "REC->next_comm, REC->next_pid, REC->next_prio"
        )
        waking = "char comm[16]:16:1;pid_t pid:4;int prio:4;int target_cpu:4"
        waking_print = (
            '"comm=%s pid=%d prio=%d target_cpu=%03d", REC->comm, REC->pid, REC->prio, REC->target_cpu'
        )
        systems = [
            (
                b"sched",
                [
                    self.format("sched_switch", _SWITCH, switch, switch_print),
                    self.format("sched_waking", _WAKING, waking, waking_print),
                ],
            ),
            (
                b"net",
                [
                    self.format(
                        "netif_rx",
                        _PACKET,
                        "unsigned int len:4;__data_loc char[] name:4",
                        '"len=%u dev=%s", REC->len, __get_str(name)',
                    )
                ],
            ),
        ]
        own = self.own_formats()
        events = self.pack("I", len(systems)) + b"".join(
            system + b"\0" + self.pack("I", len(formats)) + b"".join(formats) for system, formats in systems
        )
        symbols = b"ffff0000 T outer\nffff0100 T middle\nffff0200 t inner [driver]\nffff0300 T last\n"
        formats = b'0xffff9000 : "n=%d\\n"\n'
        names = b"77 graph\n78 graph\n100 worker\n101 worker\n200 rt-task\n"
        return [
            (16, header),
            (17, self.pack("I", len(own)) + b"".join(own)),
            (18, events),
            (19, self.pack("I", len(symbols)) + symbols),
            (20, self.pack("I", len(formats)) + formats),
            (21, self.pack("Q", len(names)) + names),
        ]

    def text(self) -> bytes:
        """The text of a latency tracer, in place of pages."""
        lines = [b"# tracer: nop\n#\n# entries-in-buffer/entries-written: 20/20   #P:2\n#\n"]
        for number in range(20):
            cpu = number % 2
            lines.append(
                b"          worker-100     [%03d] d..2.     1.%06d: sched_waking: "
                b"comm=rt-task pid=200 prio=49 target_cpu=000\n" % (cpu, number)
            )
        return b"".join(lines)

    def options(self) -> list[tuple[int, bytes]]:
        options = [
            (4, b"[local] global counter\0"),
            (5, b"Linux box 6.12.1 x86_64\0"),
            (8, self.pack("I", self.layout.cpu_count)),
            (9, b"3.1.6\0"),
        ]
        if self.layout.has_statistics and self.layout.tracer != "latency":
            count = sum(self.layout.pages)
            # Those of other instances come behind their names.
            for name, cpu in itertools.product(self.instances(), range(self.layout.cpu_count)):
                if name and cpu == 0:
                    options.append((2, b"\nBuffer: %s\n\n\0" % name))
                text = b"CPU: %d\nentries: 0\noverrun: 0\ncommit overrun: 0\nbytes: 0\n" % cpu
                text += b"oldest event ts:     0.001001\nnow ts:     0.%06d\n" % (1_001 + count)
                options.append((2, text + b"dropped events: 0\nread events: %d\n\0" % count))
        return options

    @staticmethod
    def padding(file: bytes, page_bytes: int) -> bytes:
        return bytes(-len(file) % page_bytes)

    def option(self, number: int, data: bytes) -> bytes:
        return self.pack("HI", number, len(data)) + data

    def instances(self) -> Sequence[bytes]:
        return (b"", b"rt") if self.layout.has_instance else (b"",)

    # --- version 6

    def version_6(self, file: bytes) -> bytes:
        file += b"".join(body for _, body in self.sections())
        file += self.pack("I", self.layout.cpu_count) + b"options  \0"
        file += b"".join(self.option(number, data) for number, data in self.options())
        if self.layout.tracer == "latency":
            return file + self.pack("H", 0) + b"latency  \0" + self.text()
        instances = self.instances()
        table_bytes = 10 + 16 * self.layout.cpu_count
        others_bytes = sum(6 + 8 + len(name) + 1 for name in instances[1:])
        tables = len(file) + others_bytes + 2
        for place, name in enumerate(instances[1:], 1):
            file += self.option(3, self.pack("Q", tables + place * table_bytes) + name + b"\0")
        file += self.pack("H", 0)
        cpus = self.cpu_pages()
        at = tables + len(instances) * table_bytes
        at = start = at + -at % self.layout.page_bytes
        for _ in instances:
            file += b"flyrecord\0"
            for pages in cpus:
                file += self.pack("QQ", at, len(pages))
                at += len(pages)
        return file.ljust(start, b"\0") + b"".join(cpus) * len(instances)

    # --- version 7

    def version_7(self, file: bytes) -> bytes:
        version = b"" if self.layout.codec == "none" else b"1.5"
        file += self.layout.codec.encode() + b"\0" + version + b"\0"
        pointer = len(file)
        file += bytes(8)
        options = self.options()
        for number, body in self.sections():
            options.append((number, self.pack("Q", len(file))))
            file += self.section(number, self.packed(body))
        for name in self.instances():
            place = self.pack("Q", len(file))
            if self.layout.tracer == "latency":
                options.append((22, place + name + b"\0local\0"))
                file += self.section(22, self.chunks([self.text()]))
                continue
            body, cpus = self.buffer(len(file) + 16)
            file += self.section(3, body)
            head = place + name + b"\0local\0" + self.pack("II", self.layout.page_bytes, len(cpus))
            options.append((3, head + b"".join(cpus)))
        place = self.pack("Q", len(file))
        body = b"".join(self.option(number, data) for number, data in options)
        file += self.section(0, self.packed(body + self.option(0, bytes(8))))
        return file[:pointer] + place + file[pointer + 8 :]

    def buffer(self, start: int) -> tuple[bytes, list[bytes]]:
        """The pages of an instance, plain ones aligned as trace-cmd does, and the entries that find them."""
        is_plain = self.layout.codec == "none"
        body = bytes(-start % self.layout.page_bytes) if is_plain else b""
        cpus = []
        for cpu, pages in enumerate(self.cpu_pages()):
            size = self.layout.page_bytes * 2
            data = (
                pages if is_plain else self.chunks(pages[at : at + size] for at in range(0, len(pages), size))
            )
            # As trace-cmd writes it: the size of chunks leaves out their count.
            size = len(data) if is_plain else len(data) - 4
            cpus.append(self.pack("IQQ", cpu, start + len(body), size))
            body += data
        return body, cpus

    def section(self, number: int, body: bytes) -> bytes:
        is_packed = self.layout.codec != "none"
        return self.pack("HHIQ", number, is_packed, 0, len(body)) + body

    def chunks(self, parts: Iterable[bytes]) -> bytes:
        if self.layout.codec == "none":
            return b"".join(parts)
        chunks = [self.packed(part) for part in parts]
        return self.pack("I", len(chunks)) + b"".join(chunks)

    def packed(self, body: bytes) -> bytes:
        match self.layout.codec:
            case "zlib":
                data = zlib.compress(body)
            case "zstd":
                data = zstandard.ZstdCompressor().compress(body)
            case _:
                return body
        return self.pack("II", len(data), len(body)) + data
