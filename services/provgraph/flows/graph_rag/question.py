"""What is asked, and how: all that decides an answer beside what the collection holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from provgraph.ports.retriever import RetrievalLimits
from provgraph.provenance.circumstances import Circumstances


@dataclass(frozen=True)
class Question:
    """What is empty or None is as the collection has it set, else as the service has.

    `parameters` are numbers that the method has, by name; `rerank` names who scores the candidates a second time.
    """

    text: str
    collection: str = "default"
    method: str = ""
    limits: RetrievalLimits = RetrievalLimits()
    edge_limit: int = 25
    engine: str = ""
    corrective: bool | None = None
    rerank: str = ""
    circumstances: Circumstances = Circumstances()
    parameters: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class AnswerDefaults:
    """How a question is answered that does not say it, of a collection that does not either."""

    corrective: bool = False
    rerank: bool = False
