"""Receiving a trace: as the file of a form, or as the bare body."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response
from pydantic import Field, TypeAdapter, ValidationError

from jitterscope.api.base_url import BaseUrl
from jitterscope.api.problem_documents import documented
from jitterscope.api.services import Services, ServicesOf
from jitterscope.api.trace_answers import trace_answer
from jitterscope.api.upload_pace import paced_body
from jitterscope.ingest.multipart import FieldText, PartData, PartStart, form_events
from jitterscope.ingest.receive import Receiver, too_large
from jitterscope.ingest.stated_unit import Unit, UnitWriter, asks_for_unit
from jitterscope.ingest.uploads import Accepted, UploadDescription, accept
from jitterscope.problems import ContentEncodingRefused, InvalidParameter, InvalidRequest
from jitterscope.schemas.trace import TraceAnswer
from jitterscope.store.labels import LabelName, LabelValue
from jitterscope.store.runs import WITH
from jitterscope.store.traces import find_or_none

router = APIRouter(tags=["traces"])

_Labels = TypeAdapter(Annotated[dict[LabelName, LabelValue], Field(max_length=64)])

# The boundaries, headers and small fields around the file of a form.
_FORM_OVERHEAD_BYTES = 1 << 20

_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {"type": "string", "format": "binary"},
                        "name": {"type": "string", "maxLength": 200},
                        "labels": {"type": "string", "description": "A JSON object of strings."},
                    },
                }
            },
            "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
        },
    }
}


@router.post(
    "/traces",
    status_code=202,
    response_model=TraceAnswer,
    responses=documented(408, 413, 415, 422, 429, 503, 507)
    | {200: {"model": TraceAnswer, "description": "The same bytes are there already."}},
    openapi_extra=_BODY,
)
async def upload_trace(
    request: Request,
    response: Response,
    services: ServicesOf,
    base_url: BaseUrl,
    filename: Annotated[str, Query(max_length=1000, description="For a bare body.")] = "trace",
    name: Annotated[str, Query(max_length=200, description="For a bare body.")] = "",
    labels: Annotated[str, Query(max_length=65_536, description="JSON object, for a bare body.")] = "{}",
    of_trace: Annotated[
        str | None,
        Query(
            alias="with",
            max_length=64,
            description="Of a file of measurements: the id of the trace of the same run. It becomes the "
            "label `with`.",
        ),
    ] = None,
    unit: Annotated[
        Unit | None,
        Query(
            description="Of bare numbers in a file that does not say what they count. It becomes the first "
            "line of the file, `# unit=us`; a file that says it itself is refused with this parameter."
        ),
    ] = None,
    idempotency_key: Annotated[str | None, Header(min_length=1, max_length=255)] = None,
) -> TraceAnswer:
    """Upload a recording: plain, `.gz`, `.xz` or `.zst`. The same bytes are always the same trace."""
    _check_headers(request, services)
    described = UploadDescription(filename, name, parse_labels(labels, "query"), idempotency_key)
    if of_trace is not None:
        await require_trace(services, of_trace)
    with services.uploads.one():
        accepted = await _receive(request, services, described, of_trace, unit)
    response.status_code = 202 if accepted.is_queued else 200
    response.headers["Location"] = f"/api/v1/traces/{accepted.trace.id}"
    async with services.database.session() as session:
        return await trace_answer(session, accepted.trace, base_url)


def _check_headers(request: Request, services: Services) -> None:
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise ContentEncodingRefused("Send the file as it is; .gz, .xz and .zst files are read without it.")
    claimed = request.headers.get("content-length", "")
    if claimed.isdecimal():
        if int(claimed) > services.settings.max_upload_bytes + _FORM_OVERHEAD_BYTES:
            raise too_large(services.settings.max_upload_bytes)
        services.blobs.require_space(int(claimed))


async def _receive(
    request: Request,
    services: Services,
    described: UploadDescription,
    of_trace: str | None,
    unit: Unit | None,
) -> Accepted:
    check_head = services.sniffer.require_supported
    async with Receiver(
        services.blobs, services.settings.max_upload_bytes, asks_for_unit(check_head)
    ) as receiver:
        writer = UnitWriter(receiver, check_head, unit)
        content_type = request.headers.get("content-type", "")
        if content_type.lower().startswith("multipart/form-data"):
            described = await _receive_form(
                content_type, paced_body(request, services.settings), writer, described
            )
        else:
            async for chunk in paced_body(request, services.settings):
                await writer.write(chunk)
        received = await writer.finish()
        if of_trace is not None:
            described = replace(described, labels={**described.labels, WITH: of_trace})
        return await accept(services.database, services.blobs, received, described)


async def _receive_form(
    content_type: str, body: AsyncIterator[bytes], writer: UnitWriter, described: UploadDescription
) -> UploadDescription:
    """What the form says besides its file, which goes to the writer."""
    filename: str | None = None
    fields: dict[str, FieldText] = {}
    target = ""
    async for event in form_events(content_type, body):
        match event:
            case PartStart("file", given):
                if filename is not None:
                    raise InvalidRequest("The form has more than one file; send each in its own request.")
                target, filename = "file", given or described.filename
            case PartStart(("name" | "labels") as target, _):
                fields[target] = FieldText(target)
            case PartStart(unknown, _):
                raise InvalidParameter(unknown[:64], "the form takes file, name and labels", location="body")
            case PartData(data) if target == "file":
                await writer.write(data)
            case PartData(data):
                fields[target].add(data)
    if filename is None:
        raise InvalidParameter("file", "the form has no such part", location="body")
    name = fields["name"].text() if "name" in fields else described.name
    labels = parse_labels(fields["labels"].text(), "body") if "labels" in fields else described.labels
    return UploadDescription(filename, name, labels, described.idempotency_key)


async def require_trace(services: Services, of_trace: str) -> None:
    """Raises: InvalidParameter where there is no trace that measurements could belong to."""
    async with services.database.session() as session:
        if await find_or_none(session, of_trace) is None:
            raise InvalidParameter("with", f"there is no trace {of_trace[:64]!r}; upload the trace first")


def parse_labels(text: str, location: str) -> dict[str, str | None]:
    """Raises: InvalidParameter."""
    try:
        return dict(_Labels.validate_python(json.loads(text or "{}")))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InvalidParameter("labels", f"{place}: {first['msg']}", location=location) from error
    except ValueError as error:
        raise InvalidParameter("labels", "must be a JSON object of strings", location=location) from error
