"""A question to papers, and how it was put."""

from __future__ import annotations

from dataclasses import dataclass, field

from provgraph.catalogue.papers import Paper
from provgraph.ports.retriever import Without
from provgraph.rdf.terms import NamedNode


@dataclass(frozen=True)
class PaperQuestion:
    """`papers` are the names of those to ask, none of them for all; None for those that the conversation asked last.

    Of `fetch_limit` passages `chunk_limit` are read for the answer; `alpha` is the weight of vectors in the ranking.
    """

    text: str
    collection: str = "default"
    papers: tuple[str, ...] | None = None
    conversation: str = ""
    method: str = ""
    alpha: float = 0.5
    engine: str = ""
    corrective: bool = True
    rerank: str = ""
    chunk_limit: int = 5
    fetch_limit: int = 10


@dataclass(frozen=True)
class ResolvedQuestion:
    """A question with its choices made: which papers are asked (`chosen` empty: all), and what was asked before.

    `papers` are all of the collection, by IRI. `earlier` are the questions of the conversation, the oldest first.
    """

    asked: PaperQuestion
    papers: dict[NamedNode, Paper]
    chosen: tuple[NamedNode, ...] = ()
    conversation: NamedNode | None = None
    earlier: tuple[str, ...] = ()
    rerank: str = ""
    without: Without = field(init=False)

    def __post_init__(self) -> None:
        others = tuple(paper for paper in self.papers if paper not in self.chosen) if self.chosen else ()
        object.__setattr__(self, "without", Without(others))
