"""Groups of edges in words, ranked: how much of the question each meets, and how like it is; the five best answer.

Without a model they are worded by templates, from nothing but the labels of the edges and the pair's own answer.

docs/tech-specs/kgqa.md says where the numbers come from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from provgraph.flows.kgqa.graph import (
    ABOUT,
    GIVES,
    MENTIONS,
    PART_OF,
    SAYS,
    TITLED,
    EdgeGroup,
    PairEdge,
    PairGraph,
)
from provgraph.flows.kgqa.group_search import BY_SENSE, FoundGroups, Hit
from provgraph.flows.kgqa.question_analysis import AnalysedQuestion
from provgraph.flows.runner.answer_reading import read_sentences
from provgraph.flows.runner.coverage import needed_coverage
from provgraph.flows.runner.reading_passages import is_english
from provgraph.flows.runner.sentence_choice import AskedQuestion, SentenceCandidate
from provgraph.language.terms import content_terms, terms
from provgraph.ports.retriever import QuestionTerm
from provgraph.provenance.trace import Origin
from provgraph.rdf.terms import NamedNode
from provgraph.rdf.vocabulary import TG

ANSWERS: Final = 5
WORDED: Final = 40
"""Groups that are put into words: the best by what they meet, before their wordings are compared."""

COVERAGE_SHARE, LIKENESS_SHARE, HIT_SHARE = 0.6, 0.25, 0.15
KIND_MERIT: Final = 0.1
NEAR_BEST: Final = 0.6
NEAR_READ: Final = 0.85
"""An answer scores at least so much of what the best one does; the second where wordings were read."""

MOST_SCORE: Final = 4.0
"""What a wording that is read may score at most."""

_DETERMINERS: Final = frozenset(
    "the a an this that these those his her it their our my your such some ani each everi both all anoth".split()
)
"""What the name of a node is cleaned of, as terms."""

LEAST_NEW: Final = 3
"""Content words that a further edge must add to be said too."""

_TITLES: Final = frozenset((TITLED, PART_OF))
_WHERE: Final = frozenset((PART_OF, ABOUT, GIVES, MENTIONS))
_STOPS: Final = ".;:,! "
_NUMBERING: Final = re.compile(
    r"\A(?:[#>*\-•\s]+)?(?:(?:clause|section|article|§)\s*)?(?:(?:\d+(?:\.\d+)*\.?|\([A-Za-z\d]{1,4}\)|[A-Za-z]\))\s+)*",
    re.I,
)
"""What numbers a clause before its words."""

_OF_KIND: Final = {"number": TG.Number, "person": TG.Person, "place": TG.Place, "clause": TG.Clause}


@dataclass(frozen=True)
class Wording:
    """A group in words, with how much of the question it meets (0…1), its score in 0…1, and what led to it.

    Where it was read, `chance` (0…1) is how likely an answer stands in it, and `answers` whether one does.
    """

    group: EdgeGroup
    text: str
    met: tuple[str, ...]
    coverage: float
    hits: tuple[Hit, ...]
    score: float = 0.0
    rerank_score: float | None = None
    origin: Origin = Origin.DERIVED
    chance: float = 0.0
    answers: bool = False


@dataclass(frozen=True)
class RankedWordings:
    """`answers` best first, none where nothing answers; `others` are passed over; `needed` is the coverage that the
    best has to have."""

    answers: tuple[Wording, ...]
    others: tuple[Wording, ...]
    needed: float


def wordings(question: AnalysedQuestion, graph: PairGraph, groups: FoundGroups) -> list[Wording]:
    """The groups found, the best of them in words, one of those that say the same words at one place; what only tells a
    title says nothing, but where that is asked."""
    worded_groups = []
    for index, hits in groups.hits.items():
        group = graph.groups[index]
        if not question.only_clauses and _is_structure(group):
            continue
        shares = question.shares(group)
        coverage = 1.0 if question.only_clauses else question.coverage(shares)
        worded_groups.append(Wording(group, "", tuple(shares), coverage, hits))
    worded_groups.sort(
        key=lambda wording: (-wording.coverage - _sense(wording), -_lead(wording), _place(wording.group))
    )
    told: dict[tuple[str, tuple[str, int]], Wording] = {}
    for wording in worded_groups:
        if len(told) == WORDED:
            break
        text = worded(graph.fullest(wording.group))
        told.setdefault((text, _place(wording.group)), replace(wording, text=text))
    return list(told.values())


def _is_structure(group: EdgeGroup) -> bool:
    """Whether a pair only tells a title, or what introduces items."""
    return group.answer.endswith(":") or all(edge.labels.relation in _TITLES for edge in group.edges)


def ranked(
    question: AnalysedQuestion,
    graph: PairGraph,
    worded_groups: Sequence[Wording],
    likeness: Mapping[int, float],
) -> RankedWordings:
    """The wordings by their scores; `likeness` is that of each to the question, by its index. In English they are read
    for an answer; what says the opposite of what is asked for is none."""
    if question.only_clauses or not is_english(question.text):
        scored = [
            _scored(question, graph, each, likeness.get(index, 0.0))
            for index, each in enumerate(worded_groups)
        ]
        best = sorted(scored, key=lambda wording: (-wording.score, _place(wording.group)))
        return chosen(question, best)
    return _read(question, worded_groups, likeness)


def _read(
    question: AnalysedQuestion, worded_groups: Sequence[Wording], likeness: Mapping[int, float]
) -> RankedWordings:
    candidates = [
        SentenceCandidate(
            _unnumbered(each),
            max(_sense(each), likeness.get(index, 0.0)),
            heading=". ".join(each.group.titles),
        )
        for index, each in enumerate(worded_groups)
    ]
    weighed = [QuestionTerm(term.text, term.weight, term.known) for term in question.terms]
    read = read_sentences(AskedQuestion(question.open_text, weighed), candidates)
    scored = []
    for sentence in read:
        worded_group = worded_groups[sentence.index]
        mistyped = worded_group.coverage - sentence.coverage if question.is_mistyped else 0.0
        score = (sentence.score + mistyped) / MOST_SCORE
        scored.append(
            replace(
                worded_group,
                score=round(min(score, 1.0), 4),
                chance=sentence.chance,
                answers=sentence.answers,
            )
        )
    scored.sort(key=lambda wording: (-wording.score, _place(wording.group)))
    taken = {sentence.index for sentence in read}
    left = [each for index, each in enumerate(worded_groups) if index not in taken]
    return _chosen_of_read(question, scored, left)


def _chosen_of_read(
    question: AnalysedQuestion, best: Sequence[Wording], left: Sequence[Wording]
) -> RankedWordings:
    """The best, if an answer was read in it or it meets enough of the question, and those nearly as good."""
    needed = _needed(question)
    answering = [wording for wording in best if wording.answers or wording.coverage >= needed]
    if not answering or answering[0].score < NEAR_READ * best[0].score:
        return RankedWordings((), (*best, *left), needed)
    answers = _distinct(
        [wording for wording in answering if wording.score >= NEAR_READ * answering[0].score]
    )[:ANSWERS]
    taken = {id(answer) for answer in answers}
    return RankedWordings(
        tuple(answers), tuple(wording for wording in (*best, *left) if id(wording) not in taken), needed
    )


def _needed(question: AnalysedQuestion) -> float:
    if question.only_clauses:
        return 1.0
    return needed_coverage(question.parts, question.known_share) if question.terms else 2.0


def chosen(question: AnalysedQuestion, best: Sequence[Wording]) -> RankedWordings:
    """The first five of wordings that are in order, if the first meets enough of the question."""
    needed = _needed(question)
    top = max((wording.coverage for wording in best[:ANSWERS]), default=0.0)
    if not best or top < min(needed, 1.01):
        return RankedWordings((), tuple(best), needed)
    answers = _distinct([wording for wording in best if wording.score >= NEAR_BEST * best[0].score])[:ANSWERS]
    taken = {id(answer) for answer in answers}
    return RankedWordings(
        tuple(answers), tuple(wording for wording in best if id(wording) not in taken), needed
    )


def _distinct(best: Sequence[Wording]) -> list[Wording]:
    """One answer of each sentence, and of each text: what two documents say alike is said once."""
    texts: set[str] = set()
    spans: set[tuple[str, int]] = set()
    kept = []
    for wording in best:
        if wording.text not in texts and _place(wording.group) not in spans:
            kept.append(wording)
        texts.add(wording.text)
        spans.add(_place(wording.group))
    return kept


def _scored(question: AnalysedQuestion, graph: PairGraph, wording: Wording, like: float) -> Wording:
    score = COVERAGE_SHARE * wording.coverage + LIKENESS_SHARE * like + HIT_SHARE * _lead(wording)
    kind = _OF_KIND.get(question.kind)
    if kind and any(kind in graph.types.get(node, frozenset()) for node in _things(wording.group)):
        score += KIND_MERIT * wording.coverage
    if question.clauses and wording.group.clause in question.clauses:
        score += KIND_MERIT
    score = min(round(score, 4), 1.0)
    return replace(wording, score=score)


def _things(group: EdgeGroup) -> list[NamedNode]:
    ends = (end for edge in group.edges for end in (edge.triple.subject, edge.triple.object))
    return [end for end in ends if isinstance(end, NamedNode)]


def _sense(wording: Wording) -> float:
    return max((hit.score for hit in wording.hits if hit.how == BY_SENSE), default=0.0)


def _unnumbered(wording: Wording) -> str:
    """The words without the clause that they begin with."""
    return wording.text.removeprefix(f"Clause {wording.group.clause}: ")


def _lead(wording: Wording) -> float:
    return wording.hits[0].score if wording.hits else 0.0


def _place(group: EdgeGroup) -> tuple[str, int]:
    return group.pairs[0].page.value, group.pairs[0].start


def worded(group: EdgeGroup) -> str:
    """One sentence: the clause, and what it says whole, or where its words are no sentence what its edges say, the
    first of which says most.

    "Clause 3.1(a): Supplier shall deliver the Goods within 30 days."
    """
    text = _whole(group) or _of_edges(group)
    return f"Clause {group.clause}: {text}" if group.clause and not text.startswith("Clause ") else text


def _whole(group: EdgeGroup) -> str:
    """What the pair was read from, with what introduces it: conditions, exceptions and denials are never left out.
    Empty where that is no sentence of its own."""
    said = next((edge.labels.object for edge in group.edges if edge.labels.relation == SAYS), "")
    if said or len(group.pairs) > 1:
        return said
    words = _NUMBERING.sub("", " ".join(group.pairs[0].text.split()))
    return words if words[:1].isupper() and words.endswith(".") else ""


def _of_edges(group: EdgeGroup) -> str:
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
    return f"{text[0].upper()}{text[1:]}." if text else ""


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
