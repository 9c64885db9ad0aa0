"""What happens while a question is answered, as values. Routes encode them; nothing here knows how."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from provgraph.catalogue.sources import Words
from provgraph.errors import ProvGraphError
from provgraph.provenance.derivation import DerivedAnswer
from provgraph.provenance.model_calls import Usage
from provgraph.provenance.trace import Origin, SessionOutcome
from provgraph.provenance.verification_trace import ClaimJudgement, Stance
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.wire.attribution import AttributedClaim
from provgraph.wire.highlights import Highlights


@dataclass(frozen=True)
class Explained:
    """A step of the trace: its entity, and its quads, which are in the store already."""

    entity: NamedNode
    quads: Sequence[Quad]


@dataclass(frozen=True)
class TextAdded:
    """The next words of the answer; `claim` is what they tell, where a text is checked claim by claim."""

    text: str
    claim: AttributedClaim | None = None


@dataclass(frozen=True)
class CitedSentence:
    """`answer[start:end]`, the IRIs of the selected edges or chunks that support it, and the words cited."""

    start: int
    end: int
    edges: tuple[NamedNode, ...]
    sources: tuple[Words, ...]
    chunks: tuple[NamedNode, ...] = ()
    origin: Origin = Origin.QUOTED


@dataclass(frozen=True)
class FindingFact:
    """Subject, relation and object in labels; `edge` is its IRI in the trace, None for one that a model only read."""

    edge: NamedNode | None
    labels: tuple[str, str, str]
    confidence: float


@dataclass(frozen=True)
class ClaimFinding:
    """Words that speak for or against a claim: why, how surely (0…1), and the facts that were read from them."""

    stance: Stance
    reason: str
    confidence: float
    words: Words
    facts: tuple[FindingFact, ...] = ()


@dataclass(frozen=True)
class ClaimElement:
    """One part of a claim, its characters `start` to `end`, what it does there, and what the documents say of it: the
    words, None where no document speaks of it, and why these entail or contradict it."""

    text: str
    start: int
    end: int
    role: str
    relation: Literal["entailed", "contradicted", "not said"]
    words: Words | None = None
    why: str = ""


@dataclass(frozen=True)
class ClaimVerdict:
    """`explanation` says in one or two sentences what the label rests on; `notes` what a reader should know besides.

    `elements` are the parts of the claim in their order, `missing` what no document says of it.
    """

    judgement: ClaimJudgement
    explanation: str
    findings: tuple[ClaimFinding, ...] = ()
    notes: tuple[str, ...] = ()
    elements: tuple[ClaimElement, ...] = ()
    missing: str = ""


@dataclass(frozen=True)
class Finished:
    """The last event of every session; `error` says why one failed, `usage` what the calls of a model came to.

    `highlights`, `verdict` and `attribution` are of the flows that have them; `short_answer` is None where nothing
    short is proved.
    """

    session: NamedNode
    outcome: SessionOutcome
    answer: str = ""
    sentences: tuple[CitedSentence, ...] = ()
    usage: Usage = Usage()
    warnings: tuple[str, ...] = ()
    error: ProvGraphError | None = None
    highlights: Highlights | None = None
    verdict: ClaimVerdict | None = None
    attribution: tuple[AttributedClaim, ...] = ()
    short_answer: DerivedAnswer | None = None
    understood_as: str = ""
    """What a follow-up was understood as; empty for a question that was taken as it stands."""
    derivation: NamedNode | None = None
    """The last step of the short answer's derivation, in the trace."""


Event = Explained | TextAdded | Finished

Emit = Callable[[Event], Awaitable[None]]
"""Hands an event to whoever follows the session."""
