"""Where a question enters the graph: entities that it names, nearly names, or describes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rapidfuzz.distance import OSA

from provgraph.language.terms import terms
from provgraph.ports.retriever import Seed, TakenAsOne
from provgraph.rdf.terms import NamedNode
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.entries import label_key
from provgraph.retrieval.keyword_index import Payload, any_of
from provgraph.retrieval.names import mentioned
from provgraph.retrieval.question import AskedTerm, WeightedQuestion, inverse_document_frequency


@dataclass(frozen=True)
class Entrance:
    """By what, how near to a seed (0…1), by which labels, what it met on the way, and by taking what as one.

    `within` names the documents whose facts alone count from here on; empty where all do.
    """

    how: str
    nearness: float = 0.0
    path: tuple[str, ...] = ()
    met: frozenset[AskedTerm] = frozenset()
    ties: tuple[TakenAsOne, ...] = ()
    within: frozenset[str] = frozenset()

    def lets_in(self, document: str) -> bool:
        return not self.within or document in self.within


def at_seed(seed: Seed) -> Entrance:
    told = tuple(tie.told for tie in seed.ties)
    within = [tie.within for tie in seed.ties if tie.within]
    return Entrance(
        seed.how,
        seed.score,
        told or (seed.label,),
        ties=seed.ties,
        within=frozenset.intersection(*within) if within else frozenset(),
    )


EXACT, FUZZY, KEYWORD, SPELLING, TYPE, SENTENCE = (
    "exact label",
    "fuzzy name",
    "keyword",
    "spelling",
    "type",
    "sentence",
)

LONGEST_NAME: Final = 8
LEAST_OVERLAP: Final = 0.3
EXACT_FLOOR: Final = 0.5
KEYWORD_SHARE: Final = 0.8
FUZZY_SHARE: Final = 0.7
SENTENCE_SHARE: Final = 0.4
TYPE_SHARE: Final = 0.3
"""Most that a seed can score: 1 when its whole label is asked, less when words are shared or letters differ, and
least by a sentence or by its type alone."""

MOST_EDITS: Final = 3
MOST_FUZZY: Final = 20
LETTERS_OF_AN_EDIT: Final = 4
"""A name may differ in one letter of each four, and in three at most."""

_ASKED_TYPE: Final = re.compile(
    r"\b(?:which|what|whose|how many|list|name)((?: [^\W\d_]+){1,4})", re.IGNORECASE
)


class SeedSearch:
    """Finds the seeds of one question. Scores are in 0…1."""

    def __init__(self, question: WeightedQuestion, index: CollectionIndex) -> None:
        self._question = question
        self._index = index
        self._heaviest = max((term.weight for term in question.terms), default=1.0)

    def seeds(
        self, concepts: Sequence[str], readings: Sequence[tuple[float, Payload]], limit: int
    ) -> list[Seed]:
        """The best `limit` entities; `readings` are facts that the question's words lead to, scores in 0…1."""
        best: dict[str, Seed] = {}
        for seed in (*self._exact(concepts), *self._overlapping(limit)):
            _keep_better(best, seed)
        for seed in (*self._fuzzy(), *self._of_type(limit)):
            _keep_better(best, seed)
        for seed in _of_readings(readings, named=frozenset(best)):
            _keep_better(best, seed)
        ranked = sorted(best.values(), key=lambda seed: (-seed.score, seed.label, seed.entity.value))
        connected = (seed for seed in ranked if self._index.readings.frequency("node", seed.entity.value))
        return [seed for seed, _ in zip(connected, range(limit), strict=False)]

    def named(self, concepts: Sequence[str]) -> list[Seed]:
        """The entities whose whole label stands in the question."""
        return sorted(self._exact(concepts), key=lambda seed: (-seed.score, seed.label, seed.entity.value))

    def _exact(self, concepts: Sequence[str]) -> Iterator[Seed]:
        """Entities whose whole label stands in the question, or is one of the concepts; long rare ones first."""
        entities = self._index.entities
        wanted = {*_runs(self._question.sequence), *(label_key(concept) for concept in concepts)}
        names = sorted(name for name in wanted if name and self._question.met_by(name.split(" ")))
        if not names:
            return
        query = entities.having_any("label", names)
        for _, address in entities.search(query, 4 * len(names)):
            payload = entities.payload(address)
            words = label_key(payload["label"]).split(" ")
            met = self._question.met_by(words)
            weight = min(sum(term.weight for term in met) / self._heaviest, 2.0) / 2.0
            asked = set(self._question.text.split()) if all(term.known for term in met) else set()
            how = EXACT if asked else SPELLING
            yield _seed(payload["entity"], payload["label"], EXACT_FLOOR + (1 - EXACT_FLOOR) * weight, how)

    def _overlapping(self, limit: int) -> Iterator[Seed]:
        """Entities that share words with the question: Jaccard, weighted by inverse document frequency."""
        entities = self._index.entities
        wanted = [
            entities.having("words", form, term.weight)
            for term in self._question.terms
            for form in sorted(term.forms)
        ]
        for _, address in entities.search(any_of(wanted), limit) if wanted else ():
            payload = entities.payload(address)
            words = set(label_key(payload["label"]).split(" "))
            met = self._question.met_by(words)
            shared = sum(term.weight for term in met)
            others = words.difference(*(term.forms for term in met))
            overlap = shared / (shared + sum(self._weight(word) for word in others)) if met else 0.0
            if overlap >= LEAST_OVERLAP:
                how = KEYWORD if all(term.known for term in met) else SPELLING
                score = KEYWORD_SHARE * overlap * min(shared / self._heaviest, 1.0)
                yield _seed(payload["entity"], payload["label"], score, how)

    def _fuzzy(self) -> Iterator[Seed]:
        """Entities whose label differs by a few letters from a name of the question that is no entity's."""
        entities = self._index.entities
        for name in sorted(mentioned(self._question.text)):
            most = min(len(name) // LETTERS_OF_AN_EDIT, MOST_EDITS)
            if most and not entities.frequency("label", name):
                near = [
                    entities.near("words", word, len(word) // LETTERS_OF_AN_EDIT) for word in name.split(" ")
                ]
                for _, address in entities.search(any_of([], near), MOST_FUZZY):
                    payload = entities.payload(address)
                    edits = OSA.distance(name, label_key(payload["label"]), score_cutoff=most)
                    if edits <= most:
                        score = FUZZY_SHARE * (1 - edits / len(name))
                        yield _seed(payload["entity"], payload["label"], score, FUZZY)

    def _of_type(self, limit: int) -> Iterator[Seed]:
        """Entities of the type that is asked for ("which scientists …"), by class and by facts that say it."""
        asked = {term for words in asked_kinds(self._question.text) for term in terms(words)}
        kinds = sorted(kind for term in self._question.met_by(asked) for kind in term.forms)
        entities, readings = self._index.entities, self._index.readings
        if not kinds:
            return
        for _, address in entities.search(entities.having_any("type", kinds), limit):
            payload = entities.payload(address)
            yield _seed(payload["entity"], payload["label"], TYPE_SHARE, TYPE)
        for _, address in readings.search(readings.having_any("type", kinds), limit):
            payload = readings.payload(address)
            if payload["fact"]["s"]["t"] == "i":
                yield _seed(payload["fact"]["s"]["i"], payload["labels"][0], TYPE_SHARE, TYPE)

    def _weight(self, word: str) -> float:
        chunks = self._index.chunks
        return inverse_document_frequency(max(chunks.frequency("words", word), 1), len(chunks))


def asked_kinds(question: str) -> list[str]:
    """The words after "which", "what" and their like, the first of which may say what kind of thing is asked for."""
    return [words.strip() for words in _ASKED_TYPE.findall(question)]


def _of_readings(readings: Sequence[tuple[float, Payload]], named: Collection[str]) -> Iterator[Seed]:
    """Both ends of facts that the question's words lead to, where neither end is named: those are a hop away."""
    for score, payload in readings:
        ends = [
            (payload["fact"][place]["i"], label)
            for place, label in (("s", payload["labels"][0]), ("o", payload["labels"][2]))
            if payload["fact"][place]["t"] == "i"
        ]
        if not any(entity in named for entity, _ in ends):
            for entity, label in ends:
                yield _seed(entity, label, SENTENCE_SHARE * score, SENTENCE)


def _keep_better(best: dict[str, Seed], seed: Seed) -> None:
    known = best.get(seed.entity.value)
    if known is None or (seed.score, known.label) > (known.score, seed.label):
        best[seed.entity.value] = seed


def _seed(entity: str, label: str, score: float, how: str) -> Seed:
    return Seed(NamedNode(entity), label, round(score, 4), how)


def _runs(sequence: Sequence[str]) -> Iterator[str]:
    for start in range(len(sequence)):
        for end in range(start + 1, min(start + LONGEST_NAME, len(sequence)) + 1):
            yield " ".join(sequence[start:end])
