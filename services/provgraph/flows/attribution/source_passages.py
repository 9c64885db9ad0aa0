"""Sources that are given with a request, cut into passages, and the passages that may speak of a claim.

Short sources are read whole. Of long ones those passages are read that have most of the claim's words, each word
weighed by how few passages have it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from provgraph.language.sentences import after_list_mark, sentence_spans
from provgraph.language.terms import content_terms, terms
from provgraph.reading.scope import head_words
from provgraph.verdicts.judgement import EvidenceText, Place

LONGEST_PASSAGE: Final = 1_500
LONGEST_SENTENCE: Final = 800
"""Characters; a longer sentence is none, and is left out."""
READ_WHOLE: Final = 12_000
"""Characters of all sources together up to which every claim is judged by all of them."""
MOST_PASSAGES: Final = 6


@dataclass(frozen=True)
class SourcePassage:
    """Characters of the source of index `source` from `offset` on; `key` names it among all passages."""

    key: str
    source: int
    offset: int
    evidence: EvidenceText


class SourcePassages:
    """The passages of all sources, in their order."""

    def __init__(self, sources: Sequence[EvidenceText]) -> None:
        self.sources = sources
        self._is_short = sum(len(source.text) for source in sources) <= READ_WHOLE
        self.passages = list(_passages(sources, READ_WHOLE if self._is_short else LONGEST_PASSAGE))
        self._by_key = {passage.key: passage for passage in self.passages}

    def of(self, claim: str, within: Sequence[int] | None = None) -> list[EvidenceText]:
        """The passages by which a claim is judged, best first; `within` are the indexes of sources that are asked."""
        asked = set(range(len(self.sources)) if within is None else within)
        if self._is_short:
            return [passage.evidence for passage in self.passages if passage.source in asked]
        scores: dict[int, float] = defaultdict(float)
        for term in content_terms(claim):
            having = self._having.get(term, ())
            weight = math.log1p(len(self.passages) / len(having)) if having else 0.0
            for index in having:
                if self.passages[index].source in asked:
                    scores[index] += weight
        best = sorted(scores, key=lambda index: (-scores[index], index))[:MOST_PASSAGES]
        return [self.passages[index].evidence for index in best]

    def place(self, place: Place) -> Place:
        """A place in a passage as one in its source."""
        passage = self._by_key[place.source]
        source = self.sources[passage.source].id
        return Place(source, passage.offset + place.start, passage.offset + place.end, place.text)

    @cached_property
    def _having(self) -> dict[str, list[int]]:
        """By term, the passages that have it."""
        table: dict[str, list[int]] = defaultdict(list)
        for index, passage in enumerate(self.passages):
            for term in {*terms(passage.evidence.text), *terms(passage.evidence.title)}:
                table[term].append(index)
        return table


def _passages(sources: Sequence[EvidenceText], longest: int) -> Iterator[SourcePassage]:
    for index, source in enumerate(sources):
        head = head_words(source.title, source.id, source.text)
        for number, spans in enumerate(_runs(source.text, longest)):
            start, end = spans[0][0], spans[-1][1]
            key = f"{index}.{number}"
            own = [(span[0] - start, span[1] - start) for span in spans]
            text = EvidenceText(key, source.text[start:end], source.title, own, head)
            yield SourcePassage(key, index, start, text)


def _runs(text: str, longest: int) -> Iterator[list[tuple[int, int]]]:
    """Sentences that follow each other, as many as a passage of `longest` characters may hold."""
    run: list[tuple[int, int]] = []
    for begin, end in sentence_spans(text):
        start = after_list_mark(text, begin, end)
        if end - start > LONGEST_SENTENCE:
            continue
        if run and end - run[0][0] > longest:
            yield run
            run = []
        run.append((start, end))
    if run:
        yield run
