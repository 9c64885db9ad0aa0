"""Every error as one JSON shape (RFC 9457)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from provgraph.errors import InvalidInput, ProvGraphError
from provgraph.wire.problem import MEDIA_TYPE, Problem

logger = logging.getLogger(__name__)

_ALIKE: Final = 0.7
"""How like a field's name must be to be meant."""
_MEANT: Final = {
    **dict.fromkeys(
        ("question", "q", "prompt", "input", "message", "query", "text"), ("query", "claim", "text")
    ),
    **dict.fromkeys(("statement", "claim"), ("claim", "query")),
    "answer": ("text",),
}
"""Names that others have for fields, each with ours, of which a route has one."""


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


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    known = _fields_of(request)
    wrong = "; ".join(_named(each, known) for each in error.errors())
    end = "" if wrong.endswith(("?", ".")) else "."
    return problem_response(InvalidInput(f"The request does not fit: {wrong}{end} See /docs for its form."))


def _fields_of(request: Request) -> list[str]:
    """The fields of the body, or of the address, that the route takes."""
    route = request.scope.get("route")
    body = getattr(route, "body_field", None)
    asked = getattr(getattr(route, "dependant", None), "query_params", ())
    models = [field.field_info.annotation for field in ((body,) if body is not None else asked)]
    return [
        name
        for model in models
        if isinstance(model, type) and issubclass(model, BaseModel)
        for name in model.model_fields
    ]


def _named(error: dict[str, Any], known: Sequence[str] = ()) -> str:
    """One of the framework's findings, with the name of the field it is about."""
    place, message = error["loc"], error["msg"]
    if error["type"] == "extra_forbidden" and len(place) == 2 and known:
        name = str(place[-1])
        meant = [field for field in _MEANT.get(name, ()) if field in known]
        meant = meant or get_close_matches(name, known, 1, _ALIKE)
        advice = f"Did you mean {meant[0]!r}?" if meant else f"There are {', '.join(known)}."
        return f"Unknown field {name[:80]!r}. {advice}"
    if place == ("body",) and error["type"] == "model_attributes_type":
        unread = isinstance(error["input"], bytes)
        return (
            "the body was not sent as JSON: set the header Content-Type: application/json"
            if unread
            else 'the body must be a JSON object, such as {"query": "…"}'
        )
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
