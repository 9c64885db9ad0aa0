"""The service that is evaluated, reached as every command reaches it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any, Final

import httpx2

from provgraph.cli.connection import Service, ServiceProblem
from provgraph.errors import Unavailable, said_by
from provgraph.evaluation.service import Declined, IngestedFile

_PAGES: Final = 500


class HttpService:
    """Implements `evaluation.service.EvaluatedService`; keeps the pages that it looked up last."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._page = lru_cache(_PAGES)(self._fetched)

    def ingest(self, collection: str, file: IngestedFile, progress: Callable[[int, int], None]) -> list[str]:
        """Ctrl-C ends the job in the service too."""
        fields: dict[str, str | list[str]] = {"collection": collection, "id": file.id, "title": file.title}
        with _reporting_errors():
            try:
                job = self._service.upload("/api/v1/documents", (file.name, file.content), fields)
            except ServiceProblem as problem:
                return [str(problem)]
            return self._followed(f"/api/v1/jobs/{job['id']}", progress)

    def _followed(self, path: str, progress: Callable[[int, int], None]) -> list[str]:
        state: dict[str, Any] = {}
        try:
            for _, state in self._service.events("GET", path):
                progress(state["chunks_done"], state["chunks_total"])
        except KeyboardInterrupt:
            with suppress(ServiceProblem, httpx2.TransportError):
                self._service.json("DELETE", path)
            raise
        if problem := state.get("problem"):
            raise Unavailable(
                f"The passages could not be read: {problem['detail']} Then run the command again."
            )
        return [str(each["problem"]["detail"]) for each in state.get("refused", ())]

    def ask(self, flow: str, body: Mapping[str, Any]) -> dict[str, Any]:
        with _reporting_errors():
            return self._object("POST", f"/api/v1/{flow}", body)

    def trace(self, session: str) -> dict[str, Any]:
        with _reporting_errors():
            return self._object("GET", f"/api/v1/traces/{session}")

    def retrieve(self, body: Mapping[str, Any]) -> dict[str, Any]:
        with _reporting_errors():
            return self._object("POST", "/api/v1/retrieve", body)

    def page_text(self, collection: str, page: str) -> str:
        return self._page(collection, page)

    def _fetched(self, collection: str, page: str) -> str:
        with _reporting_errors():
            return self._service.get(
                "/api/v1/documents/content", "text/plain", id=page, collection=collection
            ).text

    def _object(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        found = self._service.json(method, path, body)
        if not isinstance(found, dict):
            raise Declined(f"{path} answered with something else than an object. Is it a flow of ProvGraph?")
        return found


@contextmanager
def _reporting_errors() -> Iterator[None]:
    """What a client meets, in the words of an evaluation."""
    try:
        yield
    except ServiceProblem as problem:
        raise Declined(str(problem)) from problem
    except ValueError as error:
        raise Declined(f"The service did not answer in JSON ({error}).") from error
    except httpx2.TransportError as error:
        raise Unavailable(
            f"The service cannot be reached ({said_by(error)}). What was answered is kept: start the service, and "
            "run the same command again."
        ) from error
