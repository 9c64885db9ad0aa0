"""Port of likeness between whole documents: which documents of a collection are nearest to each other.

Implementations: `retrieval.document_likeness`, over the vectors of this process, and `adapters.http_document_likeness`,
which asks the service that has them. Vectors never leave where they are kept: there is one for each document, and what
is asked for are a few pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from provgraph.rdf.terms import NamedNode


@dataclass(frozen=True)
class LikeDocuments:
    """Two documents, the one whose IRI comes first before the other, and their cosine, at most 1."""

    documents: tuple[NamedNode, NamedNode]
    cosine: float


@dataclass(frozen=True)
class DocumentPairs:
    """`model` names all that the vectors depend on; `pairs` are in the order of their IRIs, each once."""

    model: str
    pairs: tuple[LikeDocuments, ...]


class DocumentLikeness(Protocol):
    async def likest(self, collection: str, neighbours: int, least: float, /) -> DocumentPairs:
        """The pairs of which at least one document is among the so many nearest of the other, and whose cosine is
        greater than `least`.

        A document's vector is the mean of the unit vectors of its chunks. Documents that could not be embedded are
        left out. Raises `Unavailable` where who keeps the vectors does not answer.
        """
        ...
