"""What happens while a question is answered, as values. Routes encode them; nothing here knows how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from provgraph.catalogue.sources import Words
from provgraph.errors import ProvGraphError
from provgraph.flows.runner.verdicts import FoundVerdict
from provgraph.provenance.model_calls import Usage
from provgraph.provenance.trace import Outcome
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.wire.highlights import Highlights


@dataclass(frozen=True)
class Explained:
    """A step of the trace: its entity, and its quads, which are in the store already."""

    entity: NamedNode
    quads: Sequence[Quad]


@dataclass(frozen=True)
class TextAdded:
    text: str


@dataclass(frozen=True)
class CitedSentence:
    """`answer[start:end]`, the IRIs of the selected edges or chunks that support it, and the words cited."""

    start: int
    end: int
    edges: tuple[NamedNode, ...]
    sources: tuple[Words, ...]
    chunks: tuple[NamedNode, ...] = ()


@dataclass(frozen=True)
class Finished:
    """The last event of every session; `error` tells why one failed, `usage` what the calls of a model came to.

    `highlights` are of a way of asking that has them.
    """

    session: NamedNode
    outcome: Outcome
    answer: str = ""
    sentences: tuple[CitedSentence, ...] = ()
    usage: Usage = Usage()
    warnings: tuple[str, ...] = ()
    error: ProvGraphError | None = None
    highlights: Highlights | None = None
    verdict: FoundVerdict | None = None


Event = Explained | TextAdded | Finished
