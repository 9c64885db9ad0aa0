"""What an evaluation needs of a service. The command line implements it as a client of HTTP."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from provgraph.errors import ProvGraphError

Json = dict[str, Any]


class Declined(ProvGraphError):
    """The service answered a request with a problem: this one question, and not the service, is in question."""


@dataclass(frozen=True)
class IngestedFile:
    """A file as it is sent: its name tells its type. `id` and `title` are of its document, where it holds one only."""

    name: str
    content: bytes
    id: str = ""
    title: str = ""


class EvaluatedService(Protocol):
    """A service with collections and flows, as its clients see it.

    Every call raises `Declined` for a problem that the service tells, and `Unavailable` when it cannot be reached.
    """

    def ingest(self, collection: str, file: IngestedFile, progress: Callable[[int, int], None]) -> list[str]:
        """Read a file into a collection, which is made if need be; gives what was refused, a sentence each."""
        ...

    def ask(self, flow: str, body: Mapping[str, Any]) -> Json:
        """The whole answer of a flow, as `wire.answer.Answer` has it."""
        ...

    def trace(self, session: str) -> Json:
        """How the answer came about, as `wire.trace.TraceView` has it."""
        ...

    def retrieve(self, body: Mapping[str, Any]) -> Json:
        """Ranked chunks and edges, as `wire.retrieve.Retrieved` has them."""
        ...

    def page_text(self, collection: str, page: str) -> str: ...
