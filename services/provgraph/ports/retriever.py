"""Port of retrieval: a question's candidate edges, chunks and documents, in process or over HTTP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from provgraph.rdf.terms import NamedNode, Triple


@dataclass(frozen=True)
class RetrievalLimits:
    """TrustGraph's names and defaults: seed entities, edges taken of each, edges in all, hops from a seed."""

    entities: int = 50
    triples_per_entity: int = 30
    subgraph: int = 150
    path_length: int = 2


FEWEST_EDGES: Final = RetrievalLimits(entities=1, triples_per_entity=1, subgraph=1, path_length=1)
"""Of who wants chunks."""

NO_EDGES: Final = RetrievalLimits(entities=1, triples_per_entity=1, subgraph=0, path_length=1)
"""Of who wants chunks and nothing else: a method whose passages need no edges looks for no edges and no seeds."""


@dataclass(frozen=True)
class Without:
    """What a retrieval is to do without, as if it were not in the collection: documents, and edges."""

    documents: tuple[NamedNode, ...] = ()
    edges: tuple[Triple, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.documents or self.edges)


@dataclass(frozen=True)
class RetrievalRequest:
    """`concepts` are the question's own words and names, as grounding found them; `method` names a ranking.

    `parameters` are numbers that the method has, by name; `chunks` is how many chunks are wanted; `rerank` names who
    scores what was found a second time.
    """

    question: str
    concepts: tuple[str, ...] = ()
    collection: str = "default"
    method: str = ""
    chunks: int = 10
    limits: RetrievalLimits = RetrievalLimits()
    parameters: Mapping[str, float] = field(default_factory=dict)
    without: Without = Without()
    rerank: str = ""


@dataclass(frozen=True)
class QuestionTerm:
    """One content word of the question: `weight` is its inverse document frequency in the collection's chunks.

    `known` is false where the collection never uses the word; such a word weighs as much as the rarest.
    """

    text: str
    weight: float
    known: bool


@dataclass(frozen=True)
class TakenAsOne:
    """Two entities that a question takes as one: by which `rule`, and in words.

    `fact` is what gives the one the other's name, where that is why, and `decision` what a person decided. `within`
    names the documents in which alone it counts, where the name is ambiguous; `is_one_of_several` says that a name of
    the question was taken for more than one thing.
    """

    entities: tuple[NamedNode, NamedNode]
    rule: str
    told: str
    fact: Triple | None = None
    decision: NamedNode | None = None
    within: frozenset[str] = frozenset()
    is_one_of_several: bool = False


@dataclass(frozen=True)
class Seed:
    """An entity that the question leads to; `how` says by what: exact label, keyword, spelling, sentence …

    One that is reached because it is one with another seed tells by which `ties`, and `called` is the other's name.
    """

    entity: NamedNode
    label: str
    score: float
    how: str
    ties: tuple[TakenAsOne, ...] = ()
    called: str = ""


@dataclass(frozen=True)
class EdgeLabels:
    subject: str
    relation: str
    object: str

    @property
    def words(self) -> str:
        return f"{self.subject} {self.relation} {self.object}"


@dataclass(frozen=True)
class CandidateEdge:
    """A fact that may answer.

    `score` is comparable within one result. `terms` are the question's words that the edge, its sentence or its
    document's title meets, and `coverage` is the share of the question's weight that they make (0…1): a word
    counts whole in the labels, less in the sentence, little in the title; `shares` says how much for each of the
    terms (0…1). `how` says what led to it (words, passage, or the way that its seed was found); `path` is the labels
    from the seed to the edge, empty where words or a passage led straight to it;
    `support` how many subgraphs contain it; `confidence` what the extractor gave the reading that meets the
    question best. `ties` tell of the entities that were taken as one on the way to it. `joints` name what its ends
    are: two edges meet where they share one. Entities that are one share a joint; one that may be two things has a
    joint for each document.
    """

    triple: Triple
    labels: EdgeLabels
    score: float
    terms: tuple[str, ...]
    shares: tuple[float, ...]
    coverage: float
    path: tuple[str, ...]
    confidence: float
    support: int
    how: str = ""
    rerank_score: float | None = None
    ties: tuple[TakenAsOne, ...] = ()
    joints: frozenset[str] = frozenset()


@dataclass(frozen=True)
class SentenceSense:
    """How like the question a sentence is in sense, in −1…1, and where it stands in the text of its chunk."""

    start: int
    end: int
    likeness: float


@dataclass(frozen=True)
class ChunkHit:
    """`terms` are the question's words found in the chunk, each with its BM25 score.

    Ranked by words alone these add up to `score`; in a ranking that fuses others, `score` is the fusion's, and `how`
    tells its rank in each of them and what led to it. `rerank_score`, here and of edges, is what a second scoring gave,
    in 0…10, where one was asked for. `context` says where the text stands: its section, its table's
    caption and headers, one to a line. `senses` are its sentences; empty where there are no vectors of them.
    """

    chunk: NamedNode
    document: NamedNode
    title: str
    score: float
    terms: tuple[tuple[str, float], ...]
    text: str
    how: str = ""
    rerank_score: float | None = None
    senses: tuple[SentenceSense, ...] = ()
    context: str = ""


@dataclass(frozen=True)
class DocumentHit:
    document: NamedNode
    title: str
    score: float


@dataclass(frozen=True)
class RetrievalResult:
    """Everything best first; `warnings` say what could not be looked at.

    `method` is the ranking that found it, `parameters` the numbers that it worked with.
    """

    terms: tuple[QuestionTerm, ...]
    seeds: tuple[Seed, ...]
    edges: tuple[CandidateEdge, ...]
    chunks: tuple[ChunkHit, ...]
    documents: tuple[DocumentHit, ...]
    method: str = ""
    warnings: tuple[str, ...] = ()
    parameters: Mapping[str, float] = field(default_factory=dict)


class Retriever(Protocol):
    async def accept(self, request: RetrievalRequest) -> None:
        """Raises `InvalidInput` for a method or a parameter that there is not, before anything is done."""
        ...

    async def retrieve(self, request: RetrievalRequest) -> RetrievalResult: ...

    async def follow(self, collection: str, documents: Sequence[NamedNode]) -> None:
        """Bring the indexes up to date with these documents, which were added or changed."""
        ...

    async def forget(self, collection: str) -> None:
        """Drop the indexes of a collection that was removed."""
        ...

    async def rewrite(self, collection: str) -> None:
        """Write the indexes of a collection anew, so that nothing is left in their files of what was removed."""
        ...
