"""An upload that continues where it broke, whatever is killed on the way."""

import contextlib
import http.client
import time

from product import Product, ProductError

_VERSION = {"Tus-Resumable": "1.0.0"}
_BUSY = (408, 409, 423, 429, 503)


def send_in_parts(product: Product, content: bytes, part_count: int, seconds: float) -> str:
    """The id of the trace; between two parts, and after each break, the product is asked how much it has.

    Raises: ProductError where the product refuses, or is not done with it after that many seconds.
    """
    deadline = time.monotonic() + seconds
    step = -(-len(content) // part_count)
    upload: str | None = None
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError, http.client.HTTPException):
            upload = upload or _start(product, len(content))
            answer = product.request("HEAD", upload, headers=_VERSION)
            if answer.status == 200 and "jitterscope-trace" not in answer.headers:
                offset = int(answer.headers["upload-offset"])
                headers = _VERSION | {
                    "Upload-Offset": str(offset),
                    "Content-Type": "application/offset+octet-stream",
                }
                answer = product.request("PATCH", upload, content[offset : offset + step], headers)
            if (trace_id := answer.headers.get("jitterscope-trace")) is not None:
                return trace_id
            if answer.status == 404:
                # Killed between the trace's commit and the note of it; the same bytes are the same trace.
                upload = None
            elif answer.status not in (200, 204, *_BUSY):
                raise ProductError(f"{upload}: {answer.status} {answer.body[:500]!r}")
        time.sleep(0.05)
    raise ProductError(f"{upload} is not a trace after {seconds:.0f} s")


def _start(product: Product, size_bytes: int) -> str:
    answer = product.request("POST", "/api/v1/uploads", headers=_VERSION | {"Upload-Length": str(size_bytes)})
    if answer.status != 201:
        raise http.client.HTTPException(f"POST /uploads: {answer.status}")
    return answer.headers["location"]
