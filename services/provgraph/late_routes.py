"""Routes that FastAPI analyses when they are first used.

A service has a hundred routes, and whatever runs it, as each command on a folder does, asks a few of them. To analyse a
route takes a millisecond or more (its parameters, its models), to know whether a request is for it takes only its path.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.routing import compile_path, get_name


class LateRouter(APIRouter):
    """`APIRouter` whose routes are late."""

    def __init__(self, **choices: Any) -> None:
        super().__init__(route_class=LateRoute, **choices)


class LateRoute(APIRoute):
    """Has what a request is matched by; all else is made when it is looked for. What is wrong with it shows then."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **choices: Any) -> None:
        self._choices = choices
        self.path, self.endpoint = path, endpoint
        self.name = choices.get("name") or get_name(endpoint)
        self.methods = {method.upper() for method in choices.get("methods") or ("GET",)}
        self.path_regex, self.path_format, self.param_convertors = compile_path(path)

    def __getattr__(self, name: str) -> Any:
        """Called for what is not there yet."""
        choices = self.__dict__.pop("_choices", None)
        if choices is None:
            raise AttributeError(name)
        super().__init__(self.path, self.endpoint, **choices)
        return getattr(self, name)
