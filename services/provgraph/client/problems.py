"""What went wrong between a client and a service, as errors of `provgraph.errors`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import httpx2

from provgraph.errors import ProvGraphError, TimedOut, Unavailable, error_of_kind, said_by

_KIND: Final = "urn:provgraph:problem:"


class ServiceProblem(ProvGraphError):
    """A problem that the service answered with; told as it is. `error` is the error of its kind."""

    def __init__(self, detail: str, kind: str = "") -> None:
        super().__init__(detail)
        self.kind = kind

    @property
    def error(self) -> ProvGraphError:
        """The same as it was raised in the service: `NotFound`, `Unauthorized` and the like."""
        return error_of_kind(self.kind, str(self))


def problem_of(message: Any) -> ServiceProblem:
    """The problem that a service tells (RFC 9457). Raises `KeyError` or `TypeError` for anything else."""
    return ServiceProblem(str(message["detail"]), str(message.get("type", "")).removeprefix(_KIND))


def raise_problem(response: httpx2.Response) -> None:
    """Raise the problem that a read response tells, where it is one."""
    if not response.is_error:
        return
    try:
        problem = problem_of(response.json())
    except (ValueError, KeyError, TypeError, AttributeError):
        problem = ServiceProblem(
            f"The service answered {response.status_code} {response.reason_phrase}.",
            {401: "unauthorized", 403: "forbidden", 404: "not-found"}.get(response.status_code, ""),
        )
    raise problem


@contextmanager
def told_by_kind() -> Iterator[None]:
    """Within it, a problem of the service is raised as the error of its kind."""
    try:
        yield
    except ServiceProblem as problem:
        raise problem.error from None


@contextmanager
def reaching(place: str) -> Iterator[None]:
    """Raises `Unavailable` where nobody can be reached at that place, and `TimedOut` where nobody answers."""
    try:
        yield
    except httpx2.ReadTimeout as error:
        raise TimedOut(
            f"The service {place} did not answer in time. Ask again, or wait longer: Client(…, timeout=SECONDS)."
        ) from error
    except (httpx2.TransportError, httpx2.InvalidURL) as error:
        raise Unavailable(
            f"The service {place} cannot be reached ({said_by(error)}). "
            "Check the address, or start it with 'provgraph serve'."
        ) from error
