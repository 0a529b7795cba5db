"""A multipart form read as a stream: small fields are collected, the file passes through."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from jitterscope.problems import InvalidRequest

_MAX_PARTS = 16
_MAX_HEADER_BYTES = 8 << 10
_MAX_FIELD_BYTES = 64 << 10


@dataclass(frozen=True)
class PartStart:
    """`filename` is None for a plain field."""

    name: str
    filename: str | None


@dataclass(frozen=True)
class PartData:
    data: bytes


class PartEnd:
    pass


FormEvent = PartStart | PartData | PartEnd


class _EventCollector:
    """Turns the parser's callbacks into a list of events."""

    def __init__(self) -> None:
        self.events: list[FormEvent] = []
        self.is_complete = False
        self._parts = 0
        self._headers: dict[bytes, bytes] = {}
        self._field, self._value = bytearray(), bytearray()
        self._header_bytes = 0

    def on_part_begin(self) -> None:
        self._parts += 1
        if self._parts > _MAX_PARTS:
            raise InvalidRequest(f"The form has more than {_MAX_PARTS} parts.")
        self._headers, self._header_bytes = {}, 0

    def on_header_field(self, data: bytes, start: int, end: int) -> None:
        self._count_header(end - start)
        self._field += data[start:end]

    def on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._count_header(end - start)
        self._value += data[start:end]

    def on_header_end(self) -> None:
        self._headers[bytes(self._field).lower()] = bytes(self._value)
        self._field, self._value = bytearray(), bytearray()

    def on_headers_finished(self) -> None:
        disposition, options = parse_options_header(self._headers.get(b"content-disposition"))
        if disposition != b"form-data" or b"name" not in options:
            raise InvalidRequest("A part of the form has no name.")
        filename = options.get(b"filename")
        self.events.append(PartStart(_text(options[b"name"]), None if filename is None else _text(filename)))

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        self.events.append(PartData(data[start:end]))

    def on_part_end(self) -> None:
        self.events.append(PartEnd())

    def on_end(self) -> None:
        self.is_complete = True

    def _count_header(self, added: int) -> None:
        self._header_bytes += added
        if self._header_bytes > _MAX_HEADER_BYTES:
            raise InvalidRequest(f"The headers of a part are longer than {_MAX_HEADER_BYTES} bytes.")


async def form_events(content_type: str, body: AsyncIterator[bytes]) -> AsyncIterator[FormEvent]:
    """The parts of a form in order, as they arrive.

    Raises: InvalidRequest where the body is not a form.
    """
    _, options = parse_options_header(content_type)
    boundary = options.get(b"boundary")
    if not boundary:
        raise InvalidRequest("The Content-Type of the form has no boundary.")
    collector = _EventCollector()
    callbacks = {
        name: getattr(collector, name)
        for name in (
            "on_part_begin",
            "on_header_field",
            "on_header_value",
            "on_header_end",
            "on_headers_finished",
            "on_part_data",
            "on_part_end",
            "on_end",
        )
    }
    try:
        parser = MultipartParser(boundary, callbacks)  # type: ignore[arg-type]  # a plain dict of its TypedDict's keys
        async for chunk in body:
            parser.write(chunk)
            events, collector.events = collector.events, []
            for event in events:
                yield event
        parser.finalize()
    except FormParserError as error:
        raise InvalidRequest("The body is not a well-formed multipart form.") from error
    if not collector.is_complete:
        raise InvalidRequest("The form ends before its last boundary; the transfer was cut.")


class FieldText:
    """The text of a small field, bounded."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._data = bytearray()

    def add(self, data: bytes) -> None:
        self._data += data
        if len(self._data) > _MAX_FIELD_BYTES:
            raise InvalidRequest(f"The field {self._name!r} is longer than {_MAX_FIELD_BYTES} bytes.")

    def text(self) -> str:
        return _text(bytes(self._data))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
