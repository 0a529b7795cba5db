"""Sends a big file so that a broken upload continues where it broke, in this run or in the next."""

import base64
import contextlib
import hashlib
import os
import time
from collections.abc import Mapping
from pathlib import Path

from jitterscope.terminal.recording import Item
from jitterscope.terminal.server import Body, Missing, Server, ServerRefusal, path_of

_VERSION = {"Tus-Resumable": "1.0.0"}
# Pauses of 1, 2, 4 … s: longer in sum than the service waits for a connection that is dead.
_ATTEMPTS = 7
# The offset is another one, or the connection that broke is still being waited for, or it was too slow.
_ASK_AGAIN = {408, 409, 423}
_FORGOTTEN_SECONDS = 7 * 86_400


def send(server: Server, file: Body, size_bytes: int, sha256: str, described: Mapping[str, str]) -> Item:
    """The trace that a file becomes. What the service has of it already is not sent again.

    Raises: ServerRefusal.
    """
    upload = _Upload(server, file, size_bytes, described, _KnownPlace(server, sha256, described))
    attempt, last_offset = 1, upload.offset
    while True:
        try:
            return upload.send_rest()
        except ServerRefusal as refusal:
            if upload.offset != last_offset:
                attempt, last_offset = 1, upload.offset
            if attempt == _ATTEMPTS or not upload.may_continue(refusal):
                raise
            time.sleep(2 ** (attempt - 1))
            attempt += 1


class _Upload:
    """One upload; `offset` is how much the service had of it when it was last asked, at first -1."""

    def __init__(
        self, server: Server, file: Body, size_bytes: int, described: Mapping[str, str], known: "_KnownPlace"
    ) -> None:
        self._server = server
        self._file = file
        self._size_bytes = size_bytes
        self._described = described
        self._known = known
        self._path = known.read()
        self.offset = -1

    def send_rest(self) -> Item:
        """The trace, once the service has the whole file. Raises: ServerRefusal."""
        if self._path is None:
            self._path = self._start()
            self._known.keep(self._path)
        state = self._server.exchange("HEAD", self._path, _VERSION)
        self.offset = int(state["upload-offset"])
        if "jitterscope-trace" not in state:
            state = self._send_bytes(self._path)
        self._known.forget()
        return self._server.get(path_of(state["jitterscope-trace"]))

    def may_continue(self, refusal: ServerRefusal) -> bool:
        """Whether another attempt may do better."""
        if isinstance(refusal, Missing):
            # It has expired there, or was no recording.
            self._known.forget()
            self._path = None
            return self.offset <= 0
        if refusal.status is None:
            # A service that never answered is not waited for.
            return self.offset >= 0
        return refusal.status in _ASK_AGAIN

    def _start(self) -> str:
        metadata = ",".join(
            f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in self._described.items()
        )
        headers = {"Upload-Length": str(self._size_bytes), "Upload-Metadata": metadata}
        location = self._server.exchange("POST", "/uploads", _VERSION | headers)["location"]
        return f"/uploads/{location.rpartition('/')[2]}"

    def _send_bytes(self, path: str) -> Mapping[str, str]:
        headers = {
            "Upload-Offset": str(self.offset),
            "Content-Type": "application/offset+octet-stream",
            "Content-Length": str(self._size_bytes - self.offset),
        }
        return self._server.exchange("PATCH", path, _VERSION | headers, self._file, self.offset)


class _KnownPlace:
    """Where an earlier run left the address of an upload of the same bytes with the same description."""

    def __init__(self, server: Server, sha256: str, described: Mapping[str, str]) -> None:
        cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        what = repr((server.address, sha256, sorted(described.items()))).encode()
        self._path = Path(cache) / "jitterscope" / "uploads" / hashlib.sha256(what).hexdigest()[:32]

    def read(self) -> str | None:
        with contextlib.suppress(OSError, UnicodeDecodeError):
            return self._path.read_text(encoding="ascii")
        return None

    def keep(self, upload: str) -> None:
        """Without a place to keep it, only the next run is worse off."""
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            for path in self._path.parent.iterdir():
                if time.time() - path.stat().st_mtime > _FORGOTTEN_SECONDS:
                    path.unlink()
            self._path.write_text(upload, encoding="ascii")

    def forget(self) -> None:
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)
