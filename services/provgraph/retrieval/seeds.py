"""Where a question enters the graph: entities that it names, spells nearly, or describes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pyoxigraph import NamedNode

from provgraph.ports.retriever import Seed
from provgraph.rdf.iris import entity_iri
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.keyword_index import Hit
from provgraph.retrieval.question import Question

LONGEST_NAME: Final = 7
EXACT, KEYWORD, SENTENCE = "exact label", "keyword", "sentence"
LEAST_OVERLAP: Final = 0.3


def seeds(question: Question, index: CollectionIndex, facts: Sequence[Hit], limit: int) -> tuple[Seed, ...]:
    """The best `limit` entities, best first: scores are in 0…1.

    An entity whose whole label stands in the question scores 1; one that shares words with it by the weight of
    what is shared (Jaccard, weighted by inverse document frequency); and one of a fact whose sentence meets the
    question half of that fact's score.
    """
    found: dict[str, Seed] = {}
    for seed in (*_exact(question, index), *_similar(question, index, limit), *_of_facts(facts)):
        known = found.get(seed.entity.value)
        if known is None or seed.score > known.score:
            found[seed.entity.value] = seed
    ranked = sorted(found.values(), key=lambda seed: (-seed.score, seed.label, seed.entity.value))
    return tuple(ranked[:limit])


def _exact(question: Question, index: CollectionIndex) -> Iterator[Seed]:
    wanted = {entity_iri(name).value for name in _names(question.text)}
    for key, payload in index.entities.get(sorted(wanted)).items():
        if question.met_by(payload["terms"]):
            yield Seed(NamedNode(key), payload["label"], 1.0, EXACT)


def _names(text: str) -> Iterator[str]:
    """All runs of up to seven words, without the punctuation around them."""
    words = text.split()
    for start in range(len(words)):
        for end in range(start + 1, min(start + LONGEST_NAME, len(words)) + 1):
            name = " ".join(words[start:end]).strip(".,;:!?\"'“”‘’()[]")
            if name:
                yield name
                if name.endswith(("'s", "’s")):
                    yield name[:-2]


def _similar(question: Question, index: CollectionIndex, limit: int) -> Iterator[Seed]:
    heaviest = max((term.weight for term in question.terms), default=1.0)
    for hit in index.entities.search(question.words, limit):
        words = set(hit.payload["terms"])
        met = question.met_by(words)
        shared = sum(term.weight for term in met)
        others = words.difference(*(term.variants for term in met))
        whole = shared + heaviest * len(others)
        overlap = shared / whole if whole else 0.0
        if overlap >= LEAST_OVERLAP:
            how = KEYWORD if all(term.known for term in met) else f"{KEYWORD}, spelling corrected"
            yield Seed(NamedNode(hit.key), hit.payload["label"], round(0.9 * overlap, 4), how)


def _of_facts(facts: Sequence[Hit]) -> Iterator[Seed]:
    best = max((hit.score for hit in facts), default=0.0)
    for hit in facts:
        for place, label in (("s", hit.payload["labels"][0]), ("o", hit.payload["labels"][2])):
            term = hit.payload["triple"][place]
            if term["t"] == "i":
                yield Seed(NamedNode(term["i"]), label, round(0.5 * hit.score / best, 4), SENTENCE)
