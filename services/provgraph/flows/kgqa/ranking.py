"""Wordings ranked: how much of the question each meets, and how like it is; the five best are the answers.

docs/tech-specs/kgqa.md says where the numbers come from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.flows.kgqa.asked import Asked, is_below
from provgraph.flows.kgqa.finding import Found, Hit
from provgraph.flows.kgqa.graph import EdgeGroup, PairGraph
from provgraph.flows.kgqa.wording import worded
from provgraph.flows.runner.evidence import needed_coverage
from provgraph.rdf.terms import NamedNode
from provgraph.rdf.vocabulary import TG

ANSWERS: Final = 5
WORDED: Final = 40
"""Groups that are put into words: the best by what they meet, before their wordings are compared."""

COVERAGE_SHARE, LIKENESS_SHARE, HIT_SHARE = 0.6, 0.25, 0.15
KIND_MERIT: Final = 0.1
NEAR_BEST: Final = 0.6
"""An answer scores at least so much of what the best one does."""

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


@dataclass(frozen=True)
class Ranked:
    """`answers` best first, none where nothing answers; `others` are passed over; `needed` is the coverage that the
    best has to have."""

    answers: tuple[Wording, ...]
    others: tuple[Wording, ...]
    needed: float


def wordings(asked: Asked, graph: PairGraph, found: Found) -> list[Wording]:
    """The groups found, the best of them in words."""
    made = []
    for index, hits in found.hits.items():
        group = graph.groups[index]
        shares = asked.shares(group)
        coverage = 1.0 if asked.only_clauses else asked.coverage(shares)
        made.append(Wording(group, "", tuple(shares), coverage, hits))
    made.sort(key=lambda each: (-each.coverage, -_lead(each), _place(each.group)))
    return [_in_words(each) for each in made[:WORDED]]


def ranked(asked: Asked, graph: PairGraph, made: Sequence[Wording], likeness: Mapping[int, float]) -> Ranked:
    """The wordings by their scores; `likeness` is that of each to the question, by its index."""
    scored = [_scored(asked, graph, each, likeness.get(index, 0.0)) for index, each in enumerate(made)]
    best = sorted(scored, key=lambda each: (-each.score, _place(each.group)))
    return chosen(asked, best)


def chosen(asked: Asked, best: Sequence[Wording]) -> Ranked:
    """The first five of wordings that are in order, if the first meets enough of the question."""
    needed = (
        1.0 if asked.only_clauses else needed_coverage(asked.parts, asked.known_share) if asked.terms else 2.0
    )
    top = max((each.coverage for each in best[:ANSWERS]), default=0.0)
    if not best or top < min(needed, 1.01):
        return Ranked((), tuple(best), needed)
    answers = _distinct([each for each in best if each.score >= NEAR_BEST * best[0].score])[:ANSWERS]
    taken = {id(each) for each in answers}
    return Ranked(tuple(answers), tuple(each for each in best if id(each) not in taken), needed)


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


def _scored(asked: Asked, graph: PairGraph, each: Wording, like: float) -> Wording:
    score = COVERAGE_SHARE * each.coverage + LIKENESS_SHARE * like + HIT_SHARE * _lead(each)
    kind = _OF_KIND.get(asked.kind)
    if kind and any(kind in graph.types.get(node, frozenset()) for node in _things(each.group)):
        score += KIND_MERIT * each.coverage
    if asked.clauses and each.group.clause in asked.clauses:
        score += KIND_MERIT
    score = min(round(score, 4), 1.0)
    return Wording(each.group, each.text, each.met, each.coverage, each.hits, score)


def _things(group: EdgeGroup) -> list[NamedNode]:
    ends = (end for edge in group.edges for end in (edge.triple.subject, edge.triple.object))
    return [end for end in ends if isinstance(end, NamedNode)]


def _in_words(each: Wording) -> Wording:
    return Wording(each.group, worded(each.group), each.met, each.coverage, each.hits)


def _lead(each: Wording) -> float:
    return each.hits[0].score if each.hits else 0.0


def _place(group: EdgeGroup) -> tuple[str, int]:
    return group.pairs[0].page.value, group.pairs[0].start


def names_no_clause(asked: Asked, graph: PairGraph) -> bool:
    """Whether the question names clauses, and the graph has none of them."""
    return bool(asked.clauses) and not any(is_below(clause, asked.clauses) for clause in graph.clauses)
