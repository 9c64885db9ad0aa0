"""What an answer is derived from: passages with what they say, found as the derivation asks for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, Protocol

from provgraph.derivation.descriptions import described
from provgraph.derivation.names import likeness
from provgraph.reading.propositions import Argument, Proposition, Span, TextReading
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.reading.value_reading import FoundValue, find_values


@dataclass(frozen=True, eq=False)
class ReadPassage:
    """A passage and what it says; all spans are characters of `text`. `key` names it for whoever found it."""

    key: str
    document: str
    title: str
    text: str
    reading: TextReading
    parsed: tuple[ParsedSentence, ...] = ()

    @cached_property
    def values(self) -> tuple[FoundValue, ...]:
        """Every date, quantity and ordinal of the text."""
        return tuple(find_values(self.text))

    @cached_property
    def described(self) -> Mapping[str, frozenset[str]]:
        """By the words of a name, the nouns that are said of it."""
        return described(self.reading, self.parsed, self.title)

    def sentence_at(self, position: int) -> Span:
        """The sentence in which a character stands; the nearest before it where it stands between two."""
        before = [sentence for sentence in self.reading.sentences if sentence.start <= position]
        return before[-1] if before else Span(0, len(self.text), self.text)


@dataclass(frozen=True)
class Support:
    """The sentence that proves a step, and the words of it that decide."""

    passage: ReadPassage
    sentence: Span
    words: Span

    @property
    def parsed(self) -> ParsedSentence | None:
        """The sentence as parsed; None where it was not."""
        start = self.words.start
        return next((each for each in self.passage.parsed if each.start <= start < each.end), None)

    @property
    def token(self) -> Token | None:
        """The first of the words that decide; None where their sentence was not parsed."""
        start, sentence = self.words.start, self.parsed
        tokens = sentence.tokens if sentence is not None else ()
        return next((token for token in tokens if token.start <= start < token.end), None)


def support_at(passage: ReadPassage, span: Span) -> Support:
    """The sentence in which a span stands, with its words."""
    return Support(passage, passage.sentence_at(span.start), span)


def support(passage: ReadPassage, proposition: Proposition, argument: Argument | None = None) -> Support:
    """The sentence of a proposition, with the words of one of its arguments."""
    words = argument.span if argument is not None else proposition.predicate
    return Support(passage, proposition.sentence, words)


@dataclass(frozen=True)
class SentenceLikelihood:
    """How like the query a sentence is in sense (-1…1), and how likely it answers it (0…1), as far as can be told."""

    likeness: float
    probability: float


@dataclass(frozen=True)
class Found:
    """Passages, best first; the weight of each word of the query, rare ones more; and what their sentences mean beside
    the query, by the key of the passage and where the sentence starts."""

    passages: tuple[ReadPassage, ...]
    weights: Mapping[str, float] = field(default_factory=dict)
    senses: Mapping[tuple[str, int], SentenceLikelihood] = field(default_factory=dict)

    def about(self, name: str, most: int) -> Found:
        """The same with at most so many of its passages, which speak of a name."""
        speaking = [passage for passage in self.passages if speaks_of(passage.title, passage.text, name)]
        return replace(self, passages=tuple(speaking[:most]))


class Finder(Protocol):
    """Finds passages, best first, each read; the same passage is the same object."""

    async def passages(self, query: str) -> Sequence[ReadPassage]: ...

    async def found(self, query: str) -> Found:
        """The same with what is known of the query's words and of the sentences."""
        ...

    async def about(self, query: str, name: str, most: int) -> Found:
        """`Found.about` of the same; no other passage has to be read."""
        ...


def speaks_of(title: str, text: str, name: str) -> bool:
    """Whether a passage is titled by a name, or has it."""
    return name in text or likeness(title, name) >= _TITLED


_TITLED: Final = 0.8
