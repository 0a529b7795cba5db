"""Uploads that continue where they broke, by the protocol of tus (https://tus.io/protocols/resumable-upload).

Core protocol 1.0.0 with the extensions creation, expiration and termination.
"""

import base64
import binascii
from collections.abc import Callable, Coroutine
from email.utils import formatdate
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Request, Response
from fastapi.routing import APIRoute

from jitterscope.api.problem_documents import documented, error_response
from jitterscope.api.services import ServicesOf
from jitterscope.api.upload_pace import paced_body
from jitterscope.api.uploads import parse_labels, require_trace
from jitterscope.ingest.resumable import Announcement, ResumableUploads, UploadState
from jitterscope.ingest.stated_unit import asks_for_unit
from jitterscope.ingest.uploads import UploadDescription
from jitterscope.problems import AppError, InvalidParameter, ProtocolVersionRefused, WrongContentType
from jitterscope.store.runs import WITH

_VERSION = "1.0.0"
_PATCH_TYPE = "application/offset+octet-stream"
_OURS = ("filename", "name", "labels", "with")
# Sent by common clients of tus without being asked.
_IGNORED = ("filetype", "type", "relativePath")


class _TusRoute(APIRoute):
    """A call whose every answer, refusals included, names the version of the protocol."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def answer(request: Request) -> Response:
            try:
                response = await handle(request)
            except AppError as error:
                response = error_response(error)
            response.headers["Tus-Resumable"] = _VERSION
            if response.status_code == ProtocolVersionRefused.status:
                response.headers["Tus-Version"] = _VERSION
            return response

        return answer


router = APIRouter(tags=["traces"], route_class=_TusRoute)


async def _uploads_of(services: ServicesOf) -> ResumableUploads:
    check_head = asks_for_unit(services.sniffer.require_supported)
    return ResumableUploads(services.settings, services.database, services.blobs, check_head)


async def _require_version(tus_resumable: Annotated[str, Header(description=_VERSION)] = "") -> None:
    if tus_resumable != _VERSION:
        raise ProtocolVersionRefused(
            f"This server speaks version {_VERSION} of tus, not {tus_resumable[:20]!r}."
        )


_UploadsOf = Annotated[ResumableUploads, Depends(_uploads_of)]
_VERSIONED = [Depends(_require_version)]
_Length = Annotated[int, Header(ge=0, description="Size of the whole file in bytes.")]
_Offset = Annotated[int, Header(ge=0, description="Bytes of the file that arrived before.")]


@router.options("/uploads", status_code=204, include_in_schema=False)
async def describe_uploads(services: ServicesOf) -> Response:
    """What of the protocol this server speaks, in headers."""
    return Response(
        status_code=204,
        headers={
            "Tus-Version": _VERSION,
            "Tus-Extension": "creation,expiration,termination",
            "Tus-Max-Size": str(services.settings.max_upload_bytes),
        },
    )


@router.post(
    "/uploads",
    status_code=201,
    dependencies=_VERSIONED,
    responses=documented(412, 413, 422, 429, 507),
)
async def start_upload(
    services: ServicesOf,
    uploads: _UploadsOf,
    upload_length: _Length,
    upload_metadata: Annotated[
        str, Header(description="`filename`, `name`, `labels` (a JSON object) and `with`, each in Base64.")
    ] = "",
) -> Response:
    """Announce a file that is sent in parts, by the protocol of tus. The address in `Location` takes them."""
    said = _metadata(upload_metadata)
    labels = parse_labels(said.get("labels", ""), "header")
    if "with" in said:
        await require_trace(services, said["with"])
        labels[WITH] = said["with"]
    description = UploadDescription(said.get("filename") or "trace", said.get("name", ""), labels)
    upload_id = await uploads.announce(Announcement(size_bytes=upload_length, description=description))
    return Response(
        status_code=201,
        headers={
            "Location": f"/api/v1/uploads/{upload_id}",
            **_state_headers(services, await uploads.state(upload_id)),
        },
    )


@router.head("/uploads/{upload_id}", dependencies=_VERSIONED, responses=documented(404, 412, 423))
async def get_upload_offset(upload_id: str, services: ServicesOf, uploads: _UploadsOf) -> Response:
    """How much of a file has arrived, in `Upload-Offset`.

    Once it is whole, `Jitterscope-Trace` names its trace.
    """
    state = await uploads.state(upload_id)
    headers = {"Upload-Length": str(state.size_bytes), "Cache-Control": "no-store"}
    return Response(status_code=200, headers=headers | _state_headers(services, state))


@router.patch(
    "/uploads/{upload_id}",
    status_code=204,
    dependencies=_VERSIONED,
    responses=documented(404, 408, 409, 412, 413, 415, 422, 423, 429, 503, 507),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {_PATCH_TYPE: {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def continue_upload(
    upload_id: str, request: Request, services: ServicesOf, uploads: _UploadsOf, upload_offset: _Offset
) -> Response:
    """The next bytes of a file, as many as the client likes. With the last one it becomes a trace, which
    `Jitterscope-Trace` names; `Jitterscope-Trace-New` says whether it is loaded now or was there already.
    """
    if request.headers.get("content-type", "") != _PATCH_TYPE:
        raise WrongContentType(f"Send the bytes as {_PATCH_TYPE}.")
    with services.uploads.one():
        state = await uploads.append(upload_id, upload_offset, paced_body(request, services.settings))
    return Response(status_code=204, headers=_state_headers(services, state))


@router.delete(
    "/uploads/{upload_id}", status_code=204, dependencies=_VERSIONED, responses=documented(404, 412, 423)
)
async def cancel_upload(upload_id: str, uploads: _UploadsOf) -> Response:
    """Forget an upload, and what has arrived of it. A trace that it became stays."""
    await uploads.cancel(upload_id)
    return Response(status_code=204)


def _state_headers(services: ServicesOf, state: UploadState) -> dict[str, str]:
    headers = {"Upload-Offset": str(state.offset_bytes)}
    if state.outcome is None:
        expires_at = state.touched_at + services.settings.unfinished_upload_seconds
        return headers | {"Upload-Expires": formatdate(expires_at, usegmt=True)}
    return headers | {
        "Jitterscope-Trace": state.outcome.trace_id,
        "Jitterscope-Trace-New": "true" if state.outcome.is_new else "false",
    }


def _metadata(header: str) -> dict[str, str]:
    """Names and values of `Upload-Metadata`. Raises: InvalidParameter."""
    said: dict[str, str] = {}
    for pair in filter(None, (pair.strip() for pair in header.split(","))):
        name, _, encoded = pair.partition(" ")
        if name in _IGNORED:
            continue
        if name not in _OURS or name in said:
            raise InvalidParameter(
                "Upload-Metadata",
                f"takes {', '.join(_OURS)}, each once, not {name[:40]!r}",
                location="header",
            )
        try:
            said[name] = base64.b64decode(encoded.strip(), validate=True).decode()
        except (binascii.Error, UnicodeDecodeError) as error:
            raise InvalidParameter(
                "Upload-Metadata", f"{name} is not UTF-8 text in Base64", location="header"
            ) from error
    return said
