"""What every flow is asked: the question, and all that decides its answer beside what the collection holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from provgraph.ports.retriever import FEWEST_EDGES, RetrievalRequest, Without
from provgraph.provenance.circumstances import Circumstances


@dataclass(frozen=True)
class Question:
    """An empty `method` or `engine` is that of the collection, else that of the service.

    `without` is what the answer may not stand on: what is left out, and all documents but those that are asked.
    `circumstances` is what the trace says of how the question was asked.
    """

    text: str
    collection: str = "default"
    method: str = ""
    engine: str = ""
    without: Without = Without()
    circumstances: Circumstances = Circumstances()

    default_method: ClassVar[str] = ""
    """How its passages are ranked where neither it nor its collection says; empty is the service's own."""

    @property
    def fetched(self) -> int:
        """How many passages are retrieved for it."""
        return 10

    def request(self, grounding: tuple[str, ...] = ()) -> RetrievalRequest:
        """What is retrieved for it: passages, and hardly any facts."""
        method = self.method or self.default_method
        return RetrievalRequest(self.text, grounding, self.collection, method, self.fetched, FEWEST_EDGES)
