"""What every flow is asked: the question, and all that decides its answer beside what the collection holds."""

from __future__ import annotations

from dataclasses import dataclass

from provgraph.ports.retriever import Without
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
