"""The answer without a model: the sentences behind the selected edges, word for word, the best four at most."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.sources import Source
from provgraph.graph_rag.selection import Choice
from provgraph.language.terms import content_terms

MOST_SENTENCES: Final = 4
RELATIVE_SCORE: Final = 0.85
SAME_WORDS: Final = 0.8

REFUSAL: Final = "No answer found."


@dataclass(frozen=True)
class Sentence:
    """A sentence of the answer; `edges` are indexes into the selection, `sources` the words it repeats."""

    text: str
    edges: tuple[int, ...]
    sources: tuple[Source, ...]


def compose(choices: Sequence[Choice]) -> list[Sentence]:
    """The sentences that carry most of the evidence, best first; none that says again what another says."""
    said: dict[str, list[tuple[int, Source]]] = {}
    for index, choice in enumerate(choices):
        for source in choice.evidence.sources:
            said.setdefault(_spaced(source.text), []).append((index, source))
    ranked = sorted(said.items(), key=lambda item: (-_weight(item[1], choices), item[0]))
    sentences: list[Sentence] = []
    for text, readings in ranked:
        too_weak = _weight(readings, choices) < RELATIVE_SCORE * _weight(ranked[0][1], choices)
        if len(sentences) == MOST_SENTENCES or too_weak:
            break
        if not any(_repeats(text, sentence.text) for sentence in sentences):
            sentences.append(_sentence(text, readings))
    return sentences


def _sentence(text: str, readings: Iterable[tuple[int, Source]]) -> Sentence:
    edges = dict.fromkeys(index for index, _ in readings)
    sources = {source.quotation: source for _, source in readings}
    places = {(source.page, source.start): source for source in sources.values()}
    return Sentence(text, tuple(edges), tuple(places.values()))


def _weight(readings: Sequence[tuple[int, Source]], choices: Sequence[Choice]) -> float:
    best = max(choices[index].coverage + choices[index].selected.score for index, _ in readings)
    return best + 0.01 * min(len(readings), 5)


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _repeats(text: str, other: str) -> bool:
    words, known = set(content_terms(text)), set(content_terms(other))
    return len(words & known) > SAME_WORDS * min(len(words), len(known))
