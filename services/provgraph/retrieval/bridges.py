"""Passages that other passages lead to: the best are followed to those that are about a name that they mention.

The second passage of a question in two steps often shares no name with the question, and few words: the first
names it. So a passage hands its score on to each passage that is about a name in it, the more of it the fewer
passages are about that name, and the more of the question the second meets that the first does not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.keyword_index import Address, Payload, any_of
from provgraph.retrieval.passages import RankedPassage
from provgraph.retrieval.question import AskedTerm, WeightedQuestion

FOLLOWED: Final = 5
LINKS_OF_A_PASSAGE: Final = 50
FLOOR: Final = 0.3
"""What is handed on where the second passage meets nothing further of the question; all of it meets 1 more."""


class Bridges:
    """The links from the best passages of one ranking, whose scores have to be from 0."""

    def __init__(self, question: WeightedQuestion, index: CollectionIndex) -> None:
        self._question = question
        self._chunks = index.chunks

    def crossed(self, ranked: Sequence[RankedPassage]) -> list[RankedPassage]:
        """The ranking with what passages hand on added: the best score before is 1."""
        if not ranked:
            return []
        best = ranked[0].score
        scores = {passage.chunk: passage.score / best for passage in ranked}
        found = {passage.chunk: passage for passage in ranked}
        first = ranked[:FOLLOWED]
        links = {passage.chunk: self._links(passage.payload) for passage in first}
        met = self._met([*links, *(chunk for to in links.values() for chunk in to)])
        handed: dict[str, float] = defaultdict(float)
        led: dict[str, str] = {}
        for passage in first:
            for chunk, (payload, share) in links[passage.chunk].items():
                further = self._question.share(met[chunk] - met[passage.chunk])
                gift = scores[passage.chunk] * share * (FLOOR + further)
                if gift > handed[chunk]:
                    handed[chunk] = gift
                    led[chunk] = f"named by {passage.payload['title']}"
                    found.setdefault(chunk, RankedPassage(payload, 0.0))
        crossed = [
            replace(
                passage,
                score=scores.get(chunk, 0.0) + handed.get(chunk, 0.0),
                how=", ".join(filter(None, (passage.how, led.get(chunk)))),
            )
            for chunk, passage in found.items()
        ]
        return sorted(crossed, key=lambda passage: (-passage.score, passage.chunk))

    def _links(self, payload: Payload) -> dict[str, tuple[Payload, float]]:
        """Passages about a name in this one, each with its share of that name: by chunk."""
        chunks = self._chunks
        names = sorted(name for name in payload["names"] if name != payload["topic"])
        about = {name: count for name in names if (count := chunks.frequency("topic", name))}
        if not about:
            return {}
        found = chunks.first_having("topic", tuple(about), LINKS_OF_A_PASSAGE)
        payloads = map(chunks.payload, found)
        return {
            to["chunk"]: (to, 1 / about[to["topic"]]) for to in payloads if to["chunk"] != payload["chunk"]
        }

    def _met(self, wanted: Sequence[str]) -> Mapping[str, frozenset[AskedTerm]]:
        """The question's terms in each of these chunks."""
        chunks, count = self._chunks, len(set(wanted))
        here = chunks.having_any("chunk", sorted(set(wanted)))
        found: dict[Address, list[AskedTerm]] = defaultdict(list)
        for term in self._question.terms:
            forms = any_of([chunks.having("words", form) for form in sorted(term.forms)])
            for _, address in chunks.search(any_of([], [here, forms]), count):
                found[address].append(term)
        met = {str(chunks.payload(address)["chunk"]): frozenset(terms) for address, terms in found.items()}
        return defaultdict(frozenset, met)
