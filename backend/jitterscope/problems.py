"""The refusals that a caller can expect, each with its HTTP status and a stable code."""

from typing import ClassVar


class AppError(Exception):
    """A refusal. `detail` names the thing, the limit and the way out; `members` join the problem document."""

    status: ClassVar[int]
    title: ClassVar[str]
    code: str
    # Said in a Retry-After header where the same request may do better a little later.
    retry_after_seconds: ClassVar[int | None] = None

    def __init__(self, detail: str, *, code: str | None = None, **members: object) -> None:
        super().__init__(detail)
        self.detail = detail
        self.members = members
        if code is not None:
            self.code = code


class MalformedRequest(AppError):
    status, code, title = 400, "malformed_request", "The request is no HTTP"


class NotFound(AppError):
    status, code, title = 404, "not_found", "Not found"


class TraceNotReady(AppError):
    status, code, title = 409, "trace_not_ready", "The trace is not ready"


class TraceFailed(AppError):
    status, code, title = 409, "trace_failed", "The trace could not be loaded"


class Conflict(AppError):
    status, code, title = 409, "conflict", "It does not fit what is there"


class OffsetMismatch(AppError):
    status, code, title = 409, "offset_mismatch", "The upload does not continue there"


class FileMissing(AppError):
    status, code, title = 404, "file_missing", "The stored file is missing"


class FileMissingHere(FileMissing):
    status = 409


class InvalidRequest(AppError):
    status, code, title = 422, "invalid_request", "The request is malformed"


class InvalidParameter(InvalidRequest):
    """A parameter that is well-formed for the web but means nothing here."""

    code, title = "invalid_parameter", "A parameter is invalid"

    def __init__(
        self,
        parameter: str,
        detail: str,
        *,
        location: str = "query",
        code: str | None = None,
        column: int | None = None,
    ) -> None:
        self.parameter, self.message = parameter, detail
        errors = [{"parameter": parameter, "in": location, "message": detail}]
        super().__init__(f"{parameter}: {detail}", code=code, errors=errors, column=column)


class SqlRefused(InvalidRequest):
    """A statement that PostgreSQL does not take or cannot finish; `position` counts characters from 1."""

    code, title = "sql_refused", "The statement cannot be run"


class EmptyUpload(InvalidRequest):
    code, title = "empty_file", "The file is empty"


class IdempotencyKeyReused(InvalidRequest):
    code, title = "idempotency_key_reused", "The idempotency key belongs to another upload"


class NotAcceptable(AppError):
    status, code, title = 406, "not_acceptable", "It cannot be had in that format"


class RequestTooSlow(AppError):
    status, code, title = 408, "request_too_slow", "The request took too long to arrive"


class ProtocolVersionRefused(AppError):
    status, code, title = 412, "protocol_version_refused", "That version of the protocol is not spoken"


class UploadTooSlow(AppError):
    status, code, title = 408, "upload_too_slow", "The upload is too slow"


class BodyTooLarge(AppError):
    status, code, title = 413, "body_too_large", "The body of the request is too large"


class UploadTooLarge(AppError):
    status, code, title = 413, "upload_too_large", "The upload is too large"


class UnsupportedUpload(AppError):
    status, code, title = 415, "unsupported_format", "The file is not supported"


class WrongContentType(AppError):
    status, code, title = 415, "wrong_content_type", "The body is of another type"


class ContentEncodingRefused(AppError):
    status, code, title = 415, "content_encoding_refused", "Encoded request bodies are refused"


class ForeignOrigin(AppError):
    status, code, title = 403, "foreign_origin", "The request comes from another web page"


class ForeignHost(AppError):
    status, code, title = 421, "foreign_host", "The request is addressed to another host"


class UploadBusy(AppError):
    status, code, title = 423, "upload_busy", "The upload is being written"
    retry_after_seconds = 1


class TooManyUploads(AppError):
    status, code, title = 429, "too_many_uploads", "Too many uploads are open"
    retry_after_seconds = 10


class HeadersTooLarge(AppError):
    status, code, title = 431, "headers_too_large", "The headers of the request are too large"


class Unavailable(AppError):
    """The same request may do better in a moment."""

    status = 503
    retry_after_seconds = 2


class TooManyQuestions(Unavailable):
    code, title = "too_many_questions", "The service is busy"


class TooManyStatements(Unavailable):
    code, title = "too_many_statements", "Other statements are running"


class TooManyConnections(Unavailable):
    code, title = "too_many_connections", "All connections are in use"


class DatabaseUnavailable(Unavailable):
    code, title = "database_unavailable", "The database does not answer"


class ServerInTrouble(Unavailable):
    """The machine itself fails, which takes longer to pass."""

    retry_after_seconds = 10


class StorageFailed(ServerInTrouble):
    code, title = "storage_failed", "The store cannot be used"


class OutOfMemory(ServerInTrouble):
    code, title = "out_of_memory", "The server has no memory left"


class StatementTooSlow(AppError):
    status, code, title = 503, "statement_timeout", "The database took too long"


class SqlUnavailable(AppError):
    status, code, title = 503, "sql_unavailable", "SQL is not set up on this server"


class SchemaTooOld(AppError):
    status, code, title = 503, "schema_too_old", "The database belongs to an earlier version"


class SchemaTooNew(AppError):
    status, code, title = 503, "schema_too_new", "The database belongs to a newer version"


class DiskAlmostFull(AppError):
    status, code, title = 507, "disk_full", "The disk is almost full"
