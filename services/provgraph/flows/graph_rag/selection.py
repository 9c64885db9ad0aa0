"""Selection without a model: which of the candidate edges answer, by measured evidence.

The measure is coverage: the share of the question's inverse-document-frequency weight that an edge, or the sentence
it was read from, meets. First the edge that covers most; then, one at a time, the edge that adds most to what is
covered, since the evidence for a question often stands in several places; last, edges that cover as much as the best,
since a question may have several answers. Why each threshold is what it is: docs/tech-specs/refusal.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from provgraph.catalogue.sources import Source
from provgraph.flows.graph_rag.expectation import Expectation
from provgraph.flows.runner.evidence import ENOUGH, needed_coverage
from provgraph.language.terms import terms
from provgraph.ports.retriever import CandidateEdge, QuestionTerm
from provgraph.provenance.trace import PassedOver, Selected
from provgraph.rdf.terms import NamedNode, Triple

SELECTOR: Final = "evidence-selector"

LEAST_GAIN: Final = 0.1
"""Share of the question's weight that a further edge must add to what the edges before it cover."""

AS_GOOD: Final = 0.97
"""An edge that meets the same words this nearly as well as the best, where that is enough, is another answer."""

MOST_EDGES: Final = 5
IN_LABELS: Final = 0.85
"""A word counts at least so much where an edge's labels meet it, and less where only its sentence does."""


@dataclass(frozen=True)
class Choice:
    """A selected edge with the sentences that say it; `coverage` is in 0…1."""

    selected: Selected
    candidate: CandidateEdge
    sources: tuple[Source, ...]


@dataclass(frozen=True)
class Selection:
    choices: tuple[Choice, ...]
    passed_over: tuple[PassedOver, ...]


@dataclass
class Ballot:
    """Chooses among candidates; `needed` is the coverage that the best must reach."""

    terms: Sequence[QuestionTerm]
    candidates: Sequence[CandidateEdge]
    limit: int
    expectation: Expectation = Expectation()
    chosen: list[CandidateEdge] = field(default_factory=list)

    def __post_init__(self) -> None:
        whole = sum(term.weight for term in self.terms)
        self._weights = {term.text: term.weight / whole for term in self.terms} if whole else {}
        self._covered: dict[str, float] = {}
        self._nodes: set[object] = set()
        self.needed = self._needed()
        self._choose()

    def gain(self, edge: CandidateEdge) -> float:
        """The share of the question's weight that an edge adds to what is covered."""
        return sum(
            self._weights[term] * max(0.0, share - self._covered.get(term, 0.0))
            for term, share in zip(edge.terms, edge.shares, strict=True)
        )

    def follows(self, edge: CandidateEdge) -> bool:
        """Whether an edge belongs with those chosen: it shares a node, or is about a name that they do not meet."""
        if not self._nodes.isdisjoint(_nodes(edge)):
            return True
        names = [
            term
            for term, share in zip(edge.terms, edge.shares, strict=True)
            if share >= IN_LABELS and self._covered.get(term, 0.0) < IN_LABELS and not term[0].islower()
        ]
        about = {*terms(edge.labels.subject), *terms(edge.labels.object)} if names else ()
        return any(not about.isdisjoint(terms(name)) for name in names) if about else False

    def _needed(self) -> float:
        """A word that neither the collection nor any candidate knows raises it."""
        met = {term for edge in self.candidates for term in edge.terms}
        known = sum(self._weights[term.text] for term in self.terms if term.known or term.text in met)
        return needed_coverage(len(self.terms), known)

    def _choose(self) -> None:
        ranked = sorted(self.candidates, key=lambda edge: -self._merit(edge, edge.coverage))
        if not ranked or max(edge.coverage for edge in ranked) < self.needed:
            return
        most = min(MOST_EDGES, self.limit)
        self._take(ranked[0])
        while len(self.chosen) < most:
            adding = [(self.gain(edge), edge) for edge in ranked if self.follows(edge)]
            adding = [(gain, edge) for gain, edge in adding if gain >= LEAST_GAIN]
            if not adding:
                break
            self._take(max(adding, key=lambda item: self._merit(item[1], item[0]))[1])
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
        for term, share in zip(edge.terms, edge.shares, strict=True):
            self._covered[term] = max(share, self._covered.get(term, 0.0))


def explained(ballot: Ballot, sources: Mapping[Triple, tuple[Source, ...]]) -> Selection:
    """The choices with their evidence, and why the others were passed over."""
    said = [edge for edge in ballot.chosen if sources[edge.triple]]
    taken = {edge.triple for edge in said}
    return Selection(
        tuple(_choice(edge, sources[edge.triple], len(ballot.terms)) for edge in said),
        tuple(_passed_over(ballot, (edge for edge in ballot.candidates if edge.triple not in taken))),
    )


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
    parts += [f"taking {each.told}" for each in edge.ties if each.told not in edge.path]
    documents = len({source.place.document for source in sources})
    parts.append(
        f"read in {_count(len(sources), 'sentence')} of {_count(documents, 'document')} "
        f"with confidence {edge.confidence:.2f}"
    )
    return f"{'; '.join(parts)}."


def _passed_over(ballot: Ballot, edges: Iterable[CandidateEdge]) -> Iterable[PassedOver]:
    return (PassedOver(edge.triple, edge.score, _why_not(ballot, edge)) for edge in edges)


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
