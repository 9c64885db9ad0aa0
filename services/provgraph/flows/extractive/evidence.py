"""Which sentences of the retrieved passages are evidence, and which of them answer: by what they hold, counted.

After "An Interpretable RAG System with Local Knowledge Graph Explanations": sentences are scored by the density of the
question's terms and of entities, and in English also by how likely an answer is read in them (`answer_reading`); the
best of each document are the evidence, and the best of all are the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from provgraph.catalogue.sources import Words
from provgraph.flows.runner.answer_reading import ReadSentence, is_heading
from provgraph.flows.runner.coverage import needed_coverage
from provgraph.flows.runner.passages import QuestionWeights, RetrievedPassage
from provgraph.flows.runner.read_passages import ReadWords
from provgraph.language.mentions import MentionSpan, mentions
from provgraph.language.terms import content_terms, terms, words

DENSITY_WEIGHT: Final = 0.25
"""What density counts beside coverage."""

READ_WEIGHT: Final = 0.5
"""What the chance that an answer was read in a sentence counts beside its words."""

NEAR: Final = 0.8
"""A further sentence answers that scores at least this share of what the best one does, if nothing else is asked."""


@dataclass(frozen=True)
class EvidenceLimits:
    """How many documents are looked at, sentences of each are evidence, and sentences make the answer; each of these
    scores at least the share `near` of what the best one does."""

    documents: int = 10
    sentences_each: int = 3
    answer: int = 4
    near: float = NEAR


@dataclass(frozen=True)
class ScoredEvidence:
    """A sentence of the passage of this index, with what it mentions and which words of the question it has.

    `coverage` is the share of the question's weight that it meets, by itself and by where it stands; `read` is what was
    read in it, None where it was not read.
    """

    passage: int
    words: Words
    terms: tuple[str, ...]
    mentions: tuple[MentionSpan, ...]
    coverage: float
    read: ReadSentence | None = None

    @cached_property
    def density(self) -> float:
        """The share of the sentence's words that are terms of the question or mentioned, in 0…1."""
        text = self.words.text
        forms = {form for term in self.terms for form in terms(term)}
        telling = sum(
            any(mention.start <= start < mention.end for mention in self.mentions)
            or not forms.isdisjoint(terms(word))
            for start, word in _placed(text)
        )
        return telling / max(len(words(text)), 1)

    @property
    def tells(self) -> bool:
        """Whether it has a word of the question and one that is not, or answers in other words; headings never."""
        forms = {form for term in self.terms for form in terms(term)}
        shares = bool(self.terms) and not forms.issuperset(content_terms(self.words.text))
        return (shares or self.answers) and not is_heading(self.words.text)

    @property
    def answers(self) -> bool:
        """Whether an answer was read in it."""
        return self.read is not None and self.read.answers

    @property
    def chance(self) -> float:
        """How likely an answer was read in it, in 0…1."""
        return self.read.chance if self.read is not None else 0.0

    @property
    def score(self) -> float:
        counted = self.coverage * (1 - DENSITY_WEIGHT + DENSITY_WEIGHT * self.density)
        return counted + READ_WEIGHT * self.chance

    @property
    def place(self) -> tuple[str, int, int]:
        return self.words.page.value, self.words.start, self.words.end

    @property
    def text(self) -> str:
        return " ".join(self.words.text.split())


@dataclass(frozen=True)
class ScoredDocument:
    """A retrieved document: its best passage, of this index, which gives its score, and its evidence, best first."""

    best: int
    evidence: tuple[ScoredEvidence, ...]


@dataclass(frozen=True)
class Findings:
    """`documents` best first; `answer` is empty where the evidence is none; `sentences` are all that were looked at;
    `near` is the share of the best score that each further sentence of the answer has."""

    passages: Sequence[RetrievedPassage]
    documents: tuple[ScoredDocument, ...]
    answer: tuple[ScoredEvidence, ...]
    sentences: tuple[ScoredEvidence, ...]
    near: float = NEAR

    @property
    def cut_off(self) -> float | None:
        """The score that a further sentence of the answer needs; None without an answer."""
        return round(self.near * self.answer[0].score, 4) if self.answer else None

    @cached_property
    def evidence(self) -> tuple[ScoredEvidence, ...]:
        """Of all documents."""
        return tuple(scored_evidence for document in self.documents for scored_evidence in document.evidence)

    @cached_property
    def selected(self) -> tuple[int, ...]:
        """The passages that hold evidence, in their order."""
        return tuple(sorted({evidence.passage for evidence in self.evidence}))


def findings(
    weights: QuestionWeights,
    candidates: Sequence[RetrievedPassage],
    limits: EvidenceLimits,
    reading: Sequence[ReadWords] | None = None,
) -> Findings:
    """What the passages, best first, say of the question; `reading` is what was read in their sentences, None where
    they were not read.

    A sentence is evidence if it has a word of the question and says more than that. There is an answer where one was
    read, or the best meets as much of the question as every way of asking needs: docs/tech-specs/refusal.md.
    """
    best: dict[str, int] = {}
    for index, passage in enumerate(candidates):
        best.setdefault(passage.hit.document.value, index)
    chosen = list(best)[: limits.documents]
    read = {(words.words.page.value, words.words.end): words.read for words in reading or ()}
    looked_at = tuple(_sentences(weights, candidates, set(chosen), read))
    documents = []
    for document in chosen:
        own = [
            scored_evidence
            for scored_evidence in looked_at
            if scored_evidence.tells and candidates[scored_evidence.passage].hit.document.value == document
        ]
        ranked = sorted(own, key=_rank)
        documents.append(ScoredDocument(best[document], tuple(ranked[: limits.sentences_each])))
    evidence = sorted(
        (scored_evidence for document in documents for scored_evidence in document.evidence), key=_rank
    )
    answer = _answer(weights, candidates, evidence, limits)
    return Findings(candidates, tuple(documents), answer, looked_at, limits.near)


def _answer(
    weights: QuestionWeights,
    candidates: Sequence[RetrievedPassage],
    evidence: Sequence[ScoredEvidence],
    limits: EvidenceLimits,
) -> tuple[ScoredEvidence, ...]:
    """The best sentences, none of which says the same words as one before it."""
    needed = needed_coverage(len(weights.terms), weights.known(candidates))
    if not any(each.coverage >= needed or each.answers for each in evidence):
        return ()
    distinct: dict[str, ScoredEvidence] = {}
    for scored_evidence in evidence:
        if scored_evidence.score >= limits.near * evidence[0].score:
            distinct.setdefault(scored_evidence.text, scored_evidence)
    return tuple(distinct.values())[: limits.answer]


def _sentences(
    weights: QuestionWeights,
    candidates: Sequence[RetrievedPassage],
    documents: set[str],
    read: Mapping[tuple[str, int], ReadSentence],
) -> Iterator[ScoredEvidence]:
    """The sentences of these documents' passages, each once, though chunks overlap."""
    seen: set[tuple[str, int]] = set()
    for index, passage in enumerate(candidates):
        if passage.hit.document.value not in documents:
            continue
        for sentence in passage.sentences:
            if (sentence.page.value, sentence.start) in seen:
                continue
            seen.add((sentence.page.value, sentence.start))
            text = passage.meaning(sentence)
            met = weights.met(text)
            yield ScoredEvidence(
                passage=index,
                words=sentence,
                terms=tuple(term.text for term in weights.terms if term.text in met),
                mentions=tuple(mentions(sentence.text, passage.hit.text)),
                coverage=weights.coverage(weights.shares(text, passage)),
                read=read.get((sentence.page.value, sentence.end)),
            )


def _rank(evidence: ScoredEvidence) -> tuple[float, int, int]:
    return -evidence.score, evidence.passage, evidence.words.start


def _placed(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for word in words(text):
        at = text.find(word, at)
        yield at, word
        at += len(word)
