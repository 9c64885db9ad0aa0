"""Selection without a model: which of the candidate edges answer, by measured evidence.

The measure is coverage: the share of the question's inverse-document-frequency weight that an edge, or the sentence
it was read from, meets. First the edge that covers most; then, one at a time, the edge that adds most to what is
covered, since the evidence for a question often stands in several places; last, edges that cover as much as the best,
since a question may have several answers. Why each threshold is what it is: docs/tech-specs/refusal.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from provgraph.catalogue.sources import Source
from provgraph.flows.runner.coverage import (
    ENOUGH,
    LEAST_GAIN,
    Coverage,
    as_shares,
    greedily,
    needed_coverage,
)
from provgraph.language.terms import terms
from provgraph.ports.retriever import CandidateEdge, QuestionTerm
from provgraph.provenance.candidates import RejectedEdge
from provgraph.provenance.trace import Selected
from provgraph.rdf.terms import NamedNode, Triple

SELECTOR: Final = "evidence-selector"

AS_GOOD: Final = 0.97
"""An edge that meets the same words this nearly as well as the best, where that is enough, is another answer."""

MOST_EDGES: Final = 5
IN_LABELS: Final = 0.85
"""A word counts at least so much where an edge's labels meet it, and less where only its sentence does."""


_QUANTITY: Final = re.compile(
    r"\b(?:when|how (?:many|much|old|long|far|tall|high|large|big|heavy|fast|often)|"
    r"(?:what|which) (?:year|date|day|month|century|percentage|number))\b",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(
    r"\b(?:where|(?:what|which) (?:city|country|state|place|town|continent))\b", re.IGNORECASE
)
_PREPOSITIONS: Final = frozenset("in at from to near on with by of for under after before into".split())
_OF_PLACE: Final = frozenset("in at from to near on".split())
_DIGIT: Final = re.compile(r"\d")

KIND, WORD = 0.05, 0.02
"""What an edge gains that says the kind of thing asked for, and that has a preposition of the question."""


@dataclass(frozen=True)
class Expectation:
    quantity: bool = False
    place: bool = False
    prepositions: Set[str] = frozenset()

    def merit(self, edge: CandidateEdge) -> float:
        """How well an edge is what is asked for: enough to order edges that meet the same words, and no more."""
        has_digit = bool(_DIGIT.search(edge.labels.object))
        relation = terms(edge.labels.relation)
        is_place = not has_digit and bool(_OF_PLACE.intersection(relation[-1:]))
        is_kind = has_digit if self.quantity else self.place and is_place
        return KIND * is_kind + WORD * (not self.prepositions.isdisjoint(relation))


def expectation(question: str) -> Expectation:
    """By English question words only; a question without them expects nothing in particular."""
    quantity = bool(_QUANTITY.search(question))
    place = not quantity and bool(_PLACE.search(question))
    return Expectation(quantity, place, _PREPOSITIONS.intersection(terms(question)))


@dataclass(frozen=True)
class Choice:
    """A selected edge with the sentences that say it; `coverage` is in 0…1."""

    selected: Selected
    candidate: CandidateEdge
    sources: tuple[Source, ...]


@dataclass(frozen=True)
class EdgeSelection:
    choices: tuple[Choice, ...]
    rejected: tuple[RejectedEdge, ...]


@dataclass
class Ballot:
    """Chooses among candidates; `needed` is the coverage that the best must reach."""

    terms: Sequence[QuestionTerm]
    candidates: Sequence[CandidateEdge]
    limit: int
    expectation: Expectation = Expectation()
    chosen: list[CandidateEdge] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._coverage = Coverage(as_shares({term.text: term.weight for term in self.terms}))
        self._nodes: set[object] = set()
        self.needed = self._needed()
        self._choose()

    def gain(self, edge: CandidateEdge) -> float:
        """The share of the question's weight that an edge adds to what is covered."""
        return self._coverage.gain(_shares(edge))

    def follows(self, edge: CandidateEdge) -> bool:
        """Whether an edge belongs with those chosen: it shares a node, or is about a name that they do not meet."""
        if not self._nodes.isdisjoint(_nodes(edge)):
            return True
        names = [
            term
            for term, share in _shares(edge).items()
            if share >= IN_LABELS
            and self._coverage.covered.get(term, 0.0) < IN_LABELS
            and not term[0].islower()
        ]
        about = {*terms(edge.labels.subject), *terms(edge.labels.object)} if names else ()
        return any(not about.isdisjoint(terms(name)) for name in names) if about else False

    def _needed(self) -> float:
        """A word that neither the collection nor any candidate knows raises it."""
        met = {term for edge in self.candidates for term in edge.terms}
        weights = self._coverage.weights
        known = sum(weights[term.text] for term in self.terms if term.known or term.text in met)
        return needed_coverage(len(self.terms), known)

    def _choose(self) -> None:
        ranked = sorted(self.candidates, key=lambda edge: -self._merit(edge, edge.coverage))
        if not ranked or max(edge.coverage for edge in ranked) < self.needed:
            return
        most = min(MOST_EDGES, self.limit)
        self._take(ranked[0])
        adding = greedily(ranked, self._coverage, _shares, eligible=self.follows, merit=self._merit)
        for edge in islice(adding, most - 1):
            self._take(edge)
        self._add_other_answers(ranked, most)

    def _add_other_answers(self, ranked: Sequence[CandidateEdge], most: int) -> None:
        first = self.chosen[0]
        least = AS_GOOD * self._merit(first, first.coverage)
        for edge in ranked if first.coverage >= ENOUGH else ():
            as_good = edge.terms == first.terms and self._merit(edge, edge.coverage) >= least
            if as_good and edge not in self.chosen and len(self.chosen) < most:
                self._take(edge)

    def _merit(self, edge: CandidateEdge, coverage: float) -> float:
        return coverage + self.expectation.merit(edge) + 0.1 * edge.score

    def _take(self, edge: CandidateEdge) -> None:
        self.chosen.append(edge)
        self._nodes |= _nodes(edge)
        self._coverage.add(_shares(edge))


def explained(ballot: Ballot, sources: Mapping[Triple, tuple[Source, ...]]) -> EdgeSelection:
    """The choices with their evidence, and why the others were rejected."""
    quotable = [edge for edge in ballot.chosen if sources[edge.triple]]
    triples = {edge.triple for edge in quotable}
    return EdgeSelection(
        tuple(_choice(edge, sources[edge.triple], len(ballot.terms)) for edge in quotable),
        tuple(_rejected(ballot, (edge for edge in ballot.candidates if edge.triple not in triples))),
    )


def _shares(edge: CandidateEdge) -> dict[str, float]:
    """How much of each term of the question (0…1) an edge meets."""
    return dict(zip(edge.terms, edge.shares, strict=True))


def _choice(edge: CandidateEdge, sources: tuple[Source, ...], term_count: int) -> Choice:
    selected = Selected(
        edge=edge.triple,
        score=edge.score,
        concepts=edge.terms,
        reasoning=_reason(edge, sources, term_count),
        agent=SELECTOR,
    )
    return Choice(selected, edge, sources)


def _reason(edge: CandidateEdge, sources: Sequence[Source], term_count: int) -> str:
    parts = [f"Meets {_terms(edge, term_count)}, {edge.coverage:.0%} of the question's weight"]
    if edge.path:
        parts.append(f"reached by {' → '.join(edge.path)}")
    parts += [f"taking {tie.told}" for tie in edge.ties if tie.told not in edge.path]
    documents = len({source.place.document for source in sources})
    parts.append(
        f"read in {_count(len(sources), 'sentence')} of {_count(documents, 'document')} "
        f"with confidence {edge.confidence:.2f}"
    )
    return f"{'; '.join(parts)}."


def _rejected(ballot: Ballot, edges: Iterable[CandidateEdge]) -> Iterable[RejectedEdge]:
    return (RejectedEdge(edge.triple, edge.score, _why_not(ballot, edge)) for edge in edges)


def _why_not(ballot: Ballot, edge: CandidateEdge) -> str:
    if not ballot.chosen:
        return f"Covers {edge.coverage:.0%} of the question's weight; an answer needs {min(ballot.needed, 1):.0%}."
    if edge in ballot.chosen:
        return "No sentence in the library says it."
    gain = ballot.gain(edge)
    if gain < LEAST_GAIN:
        return f"Adds {gain:.0%} of the question's weight to what the selected edges cover."
    if not ballot.follows(edge):
        return "Shares no entity with the selected edges, and is about no further name of the question."
    return f"Ranked after the {_count(len(ballot.chosen), 'edge')} selected."


def _terms(edge: CandidateEdge, term_count: int) -> str:
    met = f"{len(edge.terms)} of {_count(term_count, 'term')}"
    return f"{met} ({', '.join(edge.terms)})" if edge.terms else met


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _nodes(edge: CandidateEdge) -> set[object]:
    """What the edge's ends are: entities that are one are one end; one that may be two things is one a document."""
    values = {end for end in (edge.triple.subject, edge.triple.object) if not isinstance(end, NamedNode)}
    return {*values, *edge.joints} if edge.joints else {edge.triple.subject, edge.triple.object}
