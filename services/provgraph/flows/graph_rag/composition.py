"""The answer without a model: the sentences behind the selected edges, word for word, the best four at most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.sources import Source
from provgraph.flows.graph_rag.selection import Choice
from provgraph.language.terms import content_terms, terms

MOST_SENTENCES: Final = 4
SAME_WORDS: Final = 0.8


@dataclass(frozen=True)
class Sentence:
    """A sentence of the answer; `edges` are indexes into the selection, `sources` the words it repeats."""

    text: str
    edges: tuple[int, ...]
    sources: tuple[Source, ...]


def compose(choices: Sequence[Choice]) -> list[Sentence]:
    """For each choice, in order, the sentence that says it best, unless an earlier one says it already."""
    said: list[str] = []
    for choice in choices:
        texts = [_spaced(source.text) for source in choice.sources]
        if said and any(_repeats(text, other) for text in texts for other in said):
            continue
        if len(said) < MOST_SENTENCES:
            said.append(max(texts, key=lambda text: _met(text, choice)))
    return [_sentence(text, choices) for text in said]


def _sentence(text: str, choices: Sequence[Choice]) -> Sentence:
    """With every selected edge that was read from these words, in whatever document."""
    readings = [
        (index, source)
        for index, choice in enumerate(choices)
        for source in choice.sources
        if _spaced(source.text) == text
    ]
    places = {(source.page, source.start): source for _, source in readings}
    return Sentence(text, tuple(dict.fromkeys(index for index, _ in readings)), tuple(places.values()))


def _met(text: str, choice: Choice) -> int:
    words = set(terms(text))
    return sum(not words.isdisjoint(terms(term)) for term in choice.candidate.terms)


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _repeats(text: str, other: str) -> bool:
    if text == other:
        return True
    words, known = set(content_terms(text)), set(content_terms(other))
    return len(words & known) > SAME_WORDS * min(len(words), len(known))
