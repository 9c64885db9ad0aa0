"""Every error as one JSON shape (RFC 9457)."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from provgraph.errors import InvalidInput, ProvGraphError
from provgraph.wire.problem import MEDIA_TYPE, Problem

logger = logging.getLogger(__name__)


def problem_response(error: ProvGraphError, headers: dict[str, str] | None = None) -> JSONResponse:
    problem = Problem.of(error)
    return JSONResponse(
        problem.model_dump(exclude_none=True), problem.status, headers=headers, media_type=MEDIA_TYPE
    )


def add_problem_responses(app: FastAPI) -> None:
    """Let the app answer every error with a problem: ours, the framework's, and those nobody foresaw."""
    app.add_exception_handler(ProvGraphError, _respond)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _framework)
    app.add_exception_handler(RecursionError, _too_deep)
    app.add_exception_handler(ClientDisconnect, _cut_off)
    app.add_exception_handler(Exception, _unforeseen)


async def _respond(_: Request, error: Exception) -> Response:
    assert isinstance(error, ProvGraphError)
    return problem_response(error)


async def _invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    wrong = "; ".join(map(_named, error.errors()))
    return problem_response(InvalidInput(f"The request does not fit: {wrong}. See /docs for its form."))


def _named(error: dict[str, Any]) -> str:
    """One of the framework's findings, with the name of the field it is about."""
    place, message = error["loc"], error["msg"]
    if error["type"] == "json_invalid":
        return f"the body is not JSON: {error['ctx']['error']} at character {place[-1]}"
    return f"{'.'.join(map(str, place[1:])) or 'the body'}: {message}"


async def _too_deep(_request: Request, _error: Exception) -> Response:
    """Code that follows the structure of what it is given goes as deep as that."""
    return problem_response(InvalidInput("The request is nested too deeply. Send it in a flatter form."))


async def _framework(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if isinstance(error.__cause__, RecursionError):
        return await _too_deep(request, error)
    problem = Problem(
        type="about:blank",
        title=str(error.detail),
        status=error.status_code,
        detail=f"{request.method} {request.url.path}: {error.detail.rstrip('.')}. See /docs for what there is.",
    )
    return JSONResponse(
        problem.model_dump(exclude_none=True),
        error.status_code,
        headers=dict(error.headers or {}),
        media_type=MEDIA_TYPE,
    )


async def _cut_off(_: Request, __: Exception) -> Response:
    """Nobody reads it: the client went while it sent."""
    return problem_response(InvalidInput("The request was cut off. Send it again."))


async def _unforeseen(_: Request, error: Exception) -> Response:
    logger.error("a request failed in a way that nobody foresaw", exc_info=error)
    failure = ProvGraphError(
        f"The request failed unexpectedly ({type(error).__name__}). The service's log says more; please report it."
    )
    return problem_response(failure)
