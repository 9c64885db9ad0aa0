"""What is asked, and how: all that decides an answer beside what the collection holds."""

from __future__ import annotations

from dataclasses import dataclass

from provgraph.ports.retriever import RetrievalLimits
from provgraph.provenance.circumstances import Circumstances


@dataclass(frozen=True)
class Question:
    """What is empty or None is as the collection has it set, else as the service has."""

    text: str
    collection: str = "default"
    method: str = ""
    limits: RetrievalLimits = RetrievalLimits()
    edge_limit: int = 25
    engine: str = ""
    corrective: bool | None = None
    rerank: bool | None = None
    circumstances: Circumstances = Circumstances()


@dataclass(frozen=True)
class AnswerDefaults:
    """How a question is answered that does not say it, of a collection that does not either."""

    corrective: bool = False
    rerank: bool = False
