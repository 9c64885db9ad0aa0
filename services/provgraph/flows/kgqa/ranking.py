"""Groups of edges in words, ranked: how much of the question each meets, and how like it is; the five best answer.

Without a model they are worded by templates, from nothing but the labels of the edges and the pair's own answer.

docs/tech-specs/kgqa.md says where the numbers come from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from provgraph.flows.kgqa.graph import ABOUT, GIVES, MENTIONS, PART_OF, SAYS, EdgeGroup, PairEdge, PairGraph
from provgraph.flows.kgqa.group_search import FoundGroups, Hit
from provgraph.flows.kgqa.question_analysis import AnalysedQuestion
from provgraph.flows.runner.coverage import needed_coverage
from provgraph.language.terms import content_terms, terms
from provgraph.provenance.trace import Origin
from provgraph.rdf.terms import NamedNode
from provgraph.rdf.vocabulary import TG

ANSWERS: Final = 5
WORDED: Final = 40
"""Groups that are put into words: the best by what they meet, before their wordings are compared."""

COVERAGE_SHARE, LIKENESS_SHARE, HIT_SHARE = 0.6, 0.25, 0.15
KIND_MERIT: Final = 0.1
NEAR_BEST: Final = 0.6
"""An answer scores at least so much of what the best one does."""

_DETERMINERS: Final = frozenset(
    "the a an this that these those his her it their our my your such some ani each everi both all anoth".split()
)
"""What the name of a node is cleaned of, as terms."""

LEAST_NEW: Final = 3
"""Content words that a further edge must add to be said too."""

_WHERE: Final = frozenset((PART_OF, ABOUT, GIVES, MENTIONS))
_STOPS: Final = ".;:,! "

_OF_KIND: Final = {"number": TG.Number, "person": TG.Person, "place": TG.Place, "clause": TG.Clause}


@dataclass(frozen=True)
class Wording:
    """A group in words, with how much of the question it meets (0…1), its score in 0…1, and what led to it."""

    group: EdgeGroup
    text: str
    met: tuple[str, ...]
    coverage: float
    hits: tuple[Hit, ...]
    score: float = 0.0
    rerank_score: float | None = None
    origin: Origin = Origin.DERIVED


@dataclass(frozen=True)
class RankedWordings:
    """`answers` best first, none where nothing answers; `others` are passed over; `needed` is the coverage that the
    best has to have."""

    answers: tuple[Wording, ...]
    others: tuple[Wording, ...]
    needed: float


def wordings(question: AnalysedQuestion, graph: PairGraph, groups: FoundGroups) -> list[Wording]:
    """The groups found, the best of them in words."""
    worded_groups = []
    for index, hits in groups.hits.items():
        group = graph.groups[index]
        shares = question.shares(group)
        coverage = 1.0 if question.only_clauses else question.coverage(shares)
        worded_groups.append(Wording(group, "", tuple(shares), coverage, hits))
    worded_groups.sort(key=lambda each: (-each.coverage, -_lead(each), _place(each.group)))
    return [_in_words(each) for each in worded_groups[:WORDED]]


def ranked(
    question: AnalysedQuestion,
    graph: PairGraph,
    worded_groups: Sequence[Wording],
    likeness: Mapping[int, float],
) -> RankedWordings:
    """The wordings by their scores; `likeness` is that of each to the question, by its index."""
    scored = [
        _scored(question, graph, each, likeness.get(index, 0.0)) for index, each in enumerate(worded_groups)
    ]
    best = sorted(scored, key=lambda each: (-each.score, _place(each.group)))
    return chosen(question, best)


def chosen(question: AnalysedQuestion, best: Sequence[Wording]) -> RankedWordings:
    """The first five of wordings that are in order, if the first meets enough of the question."""
    needed = (
        1.0
        if question.only_clauses
        else needed_coverage(question.parts, question.known_share)
        if question.terms
        else 2.0
    )
    top = max((each.coverage for each in best[:ANSWERS]), default=0.0)
    if not best or top < min(needed, 1.01):
        return RankedWordings((), tuple(best), needed)
    answers = _distinct([each for each in best if each.score >= NEAR_BEST * best[0].score])[:ANSWERS]
    taken = {id(each) for each in answers}
    return RankedWordings(tuple(answers), tuple(each for each in best if id(each) not in taken), needed)


def _distinct(best: Sequence[Wording]) -> list[Wording]:
    """One answer of each sentence, and of each text: what two documents say alike is said once."""
    texts: set[str] = set()
    spans: set[tuple[str, int]] = set()
    kept = []
    for each in best:
        if each.text not in texts and _place(each.group) not in spans:
            kept.append(each)
        texts.add(each.text)
        spans.add(_place(each.group))
    return kept


def _scored(question: AnalysedQuestion, graph: PairGraph, each: Wording, like: float) -> Wording:
    score = COVERAGE_SHARE * each.coverage + LIKENESS_SHARE * like + HIT_SHARE * _lead(each)
    kind = _OF_KIND.get(question.kind)
    if kind and any(kind in graph.types.get(node, frozenset()) for node in _things(each.group)):
        score += KIND_MERIT * each.coverage
    if question.clauses and each.group.clause in question.clauses:
        score += KIND_MERIT
    score = min(round(score, 4), 1.0)
    return replace(each, score=score)


def _things(group: EdgeGroup) -> list[NamedNode]:
    ends = (end for edge in group.edges for end in (edge.triple.subject, edge.triple.object))
    return [end for end in ends if isinstance(end, NamedNode)]


def _in_words(each: Wording) -> Wording:
    return replace(each, text=worded(each.group))


def _lead(each: Wording) -> float:
    return each.hits[0].score if each.hits else 0.0


def _place(group: EdgeGroup) -> tuple[str, int]:
    return group.pairs[0].page.value, group.pairs[0].start


def worded(group: EdgeGroup) -> str:
    """One sentence: the clause, and what its edges say; the first of them says most.

    "Clause 3.1(a): Supplier shall deliver the Goods within 30 days."
    """
    telling = [edge for edge in group.edges if not edge.is_structure] or [
        edge for edge in group.edges if edge.labels.relation not in _WHERE
    ]
    clauses: list[str] = []
    known: set[str] = set()
    for edge in telling:
        words = _edge_text(group, edge)
        own = set(content_terms(words))
        if len(own - known) >= LEAST_NEW or not clauses:
            clauses.append(words.strip(_STOPS))
            known |= own
    text = "; ".join(clauses)
    text = f"{text[0].upper()}{text[1:]}." if text else ""
    return f"Clause {group.clause}: {text}" if group.clause and not text.startswith("Clause ") else text


def _edge_text(group: EdgeGroup, edge: PairEdge) -> str:
    """An edge in words; an object that is the pair's answer as the answer spells it, with its articles."""
    labels = edge.labels
    object_ = labels.object
    if labels.relation == SAYS:
        return object_
    own = [term for term in terms(object_) if term not in _DETERMINERS]
    whole = terms(group.answer)
    if own and own == [term for term in whole if term not in _DETERMINERS]:
        object_ = group.answer.strip(_STOPS)
    return f"{labels.subject} {labels.relation} {object_}"
