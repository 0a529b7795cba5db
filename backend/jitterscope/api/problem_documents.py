"""Every refusal and every failure as an RFC 9457 problem document."""

from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from jitterscope.problems import AppError
from jitterscope.schemas.problem import Problem

MEDIA_TYPE = "application/problem+json"


def problem_response(status: int, code: str, title: str, detail: str, **members: object) -> JSONResponse:
    """A problem document with the id of the request, and those of `members` that are not None.

    Source: RFC 9457; `type` leads to the description of the code in `/docs`.
    """
    body = {
        "type": f"/docs#problem-{code}",
        "title": title,
        "status": status,
        "detail": detail,
        "code": code,
        "request_id": structlog.contextvars.get_contextvars().get("request_id"),
    }
    shown = {name: value for name, value in members.items() if value is not None}
    return JSONResponse(body | shown, status_code=status, media_type=MEDIA_TYPE)


def error_response(error: AppError) -> JSONResponse:
    """The problem document of a refusal."""
    response = problem_response(error.status, error.code, error.title, error.detail, **error.members)
    if error.retry_after_seconds is not None:
        response.headers["Retry-After"] = str(error.retry_after_seconds)
    return response


def add_problem_handlers(app: FastAPI) -> None:
    app.add_exception_handler(AppError, _answer_app_error)
    app.add_exception_handler(RequestValidationError, _answer_validation_error)
    app.add_exception_handler(HTTPException, _answer_http_exception)


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:  # FastAPI's own type
    """The problem documents that a call can answer, for OpenAPI."""
    return {
        status: {
            "model": Problem,
            "description": HTTPStatus(status).phrase,
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status in statuses
    }


async def _answer_app_error(_: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, AppError):
        raise error
    return error_response(error)


async def _answer_validation_error(_: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, RequestValidationError):
        raise error
    errors = [
        {
            "parameter": ".".join(str(part) for part in found["loc"][1:]) or str(found["loc"][0]),
            "in": str(found["loc"][0]),
            "message": str(found["msg"]),
        }
        for found in error.errors()
    ]
    detail = "; ".join(f"{found['parameter']}: {found['message']}" for found in errors)
    return problem_response(422, "invalid_parameter", "A parameter is invalid", detail, errors=errors)


async def _answer_http_exception(_: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, HTTPException):
        raise error
    status = HTTPStatus(error.status_code)
    code = status.name.lower()
    response = problem_response(status, code, status.phrase, f"{status.phrase}: {status.description}.")
    response.headers.update(error.headers or {})
    return response
