"""Sentences of another language in English words, one for one, so that the rules of reading need be written once.

A tree of Universal Dependencies is nearly the same in French, Spanish and English; what differs is the words, and a few
turns: "est née" is passive in English, "se casó" has a pronoun too many, "sera vendue" says by its ending what English
says by a word. `glossed` puts the word of a small dictionary (`fr.txt`) in place of each and straightens those turns.
Names stay as they are. What is read in the gloss is led back to the text's own characters by `GlossedText`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from provgraph.reading.entity_types import type_of_noun
from provgraph.reading.glosses.clauses import (
    mend_appositions,
    mend_complements,
    mend_modals,
    mend_participles,
    mend_subjects,
    mend_tenses,
    mend_voice,
)
from provgraph.reading.glosses.glossary import glossary
from provgraph.reading.glosses.names import join_names, join_numbers, mend_dates
from provgraph.reading.glosses.translation import drop, translate
from provgraph.reading.glosses.words import (
    DROPS_SUBJECTS,
    KINDS_IN_NAMES,
    GlossedSentence,
    GlossedWord,
    english_form,
)
from provgraph.reading.syntax import ParsedSentence, Token

_FEMININE: Final = frozenset({"elle", "ella"})
_MASCULINE: Final = frozenset({"il", "él"})
_STEPS: Final[tuple[Callable[[GlossedSentence], None], ...]] = (
    join_numbers, join_names, mend_dates, drop, translate, mend_voice, mend_complements, mend_modals, mend_tenses,
    mend_appositions, mend_subjects, mend_participles,
)  # fmt: skip


@dataclass(frozen=True)
class GlossedText:
    """`text` is English word for word, `sentences` its trees, and `origins` for each word (start, end) in it and in the
    text that was parsed."""

    text: str
    sentences: tuple[ParsedSentence, ...]
    origins: tuple[tuple[int, int, int, int], ...]
    _starts: tuple[int, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_starts", tuple(origin[0] for origin in self.origins))

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The characters of the parsed text that the words in `text[start:end]` stand for; (-1, -1) for none."""
        first = bisect_right(self._starts, start) - 1
        last = bisect_left(self._starts, end) - 1
        if first < 0 or last < first:
            return -1, -1
        own = self.origins[first : last + 1]
        return min(origin[2] for origin in own), max(origin[3] for origin in own)


def glossed(sentences: Sequence[ParsedSentence], language: str) -> GlossedText:
    """The sentences in English words, one after the other, each on a line of its own."""
    words = glossary(language)
    said = [token.text.lower() for sentence in sentences for token in sentence.tokens]
    is_hers = sum(word in _FEMININE for word in said) > sum(word in _MASCULINE for word in said)
    is_his = any(word in _MASCULINE for word in said)
    possessive = "her" if is_hers else "his" if is_his else "their"
    parts: list[str] = []
    origins: list[tuple[int, int, int, int]] = []
    trees: list[ParsedSentence] = []
    at, is_thing = 0, False
    for sentence in sentences:
        start = at
        tokens: list[Token] = []
        own = _in_english(GlossedSentence(sentence, words, possessive))
        is_thing = language not in DROPS_SUBJECTS and _subject_is_thing(own, is_thing)
        for index, word in enumerate(own):
            spaced = f" {word.text}" if tokens and word.pos != "PUNCT" else word.text
            end = at + len(spaced)
            tokens.append(_token(word, index, own, end))
            origins.append((end - len(word.text), end, *word.origin))
            parts.append(spaced)
            at = end
        trees.append(ParsedSentence(tuple(tokens), start, at))
        parts.append("\n")
        at += 1
    return GlossedText("".join(parts), tuple(trees), tuple(origins))


def _in_english(sentence: GlossedSentence) -> list[GlossedWord]:
    for step in _STEPS:
        step(sentence)
    for word in sentence.words:
        word.text = english_form(word)
    return sentence.words


def _subject_is_thing(words: Sequence[GlossedWord], before: bool) -> bool:
    """Whether a sentence speaks of a thing; "elle" of one that follows it is "it" then, and is put so."""
    subject = next((word for word in words if word.relation.startswith("nsubj")), None)
    if subject is None:
        return before
    if subject.lemma in ("he", "she"):
        if before:
            subject.text = subject.lemma = "it"
        return before
    kind = subject.entity.partition("-")[2]
    kinds = {type_of_noun(word.lemma) for word in words if word is subject or word.head is subject}
    return kind in ("ORGANIZATION", "PLACE", "WORK", "OTHER") or (not kind and bool(kinds & KINDS_IN_NAMES))


def _token(word: GlossedWord, index: int, own: Sequence[GlossedWord], end: int) -> Token:
    head = own.index(word.head) if word.head is not None else -1
    start = end - len(word.text)
    return Token(
        index, word.text, start, end, word.lemma, word.pos, word.tag, head, word.relation, word.entity
    )
