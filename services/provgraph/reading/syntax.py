"""The syntax of a sentence: tokens with part of speech, lemma, entity label and dependency.

The scheme is Universal Dependencies 2 (de Marneffe et al. 2021), so that the rules which read propositions are written
once for every parser and every language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Token:
    """One word. `start` and `end` are its characters in the text that was parsed, not in the sentence.

    `head` is the index in the sentence of the word it depends on, -1 for the root, and `relation` the dependency's
    label ("nsubj:pass"). `tag` is the language's own finer part of speech ("VBD"), empty where a parser has none.
    `entity` is "B-" or "I-" with PERSON, ORGANIZATION, PLACE, DATE, NUMBER, WORK, EVENT, GROUP or OTHER, or empty.
    `certainty` is how probable the parser holds its head with that relation, in [0, 1]; 1 where a parser does not tell.
    """

    index: int
    text: str
    start: int
    end: int
    lemma: str
    pos: str
    tag: str
    head: int
    relation: str
    entity: str = ""
    certainty: float = field(default=1.0, compare=False)


@dataclass(frozen=True)
class ParsedSentence:
    """The words of `text[start:end]` of the text that was parsed, in order."""

    tokens: tuple[Token, ...]
    start: int
    end: int

    @cached_property
    def children(self) -> tuple[tuple[Token, ...], ...]:
        """For each token, those that depend on it, in order."""
        lists: list[list[Token]] = [[] for _ in self.tokens]
        for token in self.tokens:
            if token.head >= 0:
                lists[token.head].append(token)
        return tuple(map(tuple, lists))

    @property
    def roots(self) -> tuple[Token, ...]:
        return tuple(token for token in self.tokens if token.head < 0)

    def dependents(self, token: Token, *relations: str) -> tuple[Token, ...]:
        """The dependents of `token` with one of `relations`; "nsubj" also means its subtypes ("nsubj:pass")."""
        return tuple(
            child
            for child in self.children[token.index]
            if child.relation in relations or child.relation.partition(":")[0] in relations
        )

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words in lower case."""
        return tuple(token.text.lower() for token in self.tokens)

    @cached_property
    def _kept(self) -> dict[str, Any]:
        return {}

    def kept(self, name: str, work_out: Callable[[], T]) -> T:
        """What was worked out of the sentence under that name, once."""
        if name not in self._kept:
            self._kept[name] = work_out()
        found: T = self._kept[name]
        return found

    @cached_property
    def _edges(self) -> dict[int, tuple[int, int]]:
        return {}

    def edges(self, token: Token) -> tuple[int, int]:
        """The first and the last index of `token` and all below it."""
        if not self.children[token.index]:
            return token.index, token.index
        found = self._edges.get(token.index)
        if found is None:
            below = [each.index for each in self.subtree(token)]
            found = self._edges[token.index] = (below[0], below[-1])
        return found

    def subtree(self, token: Token) -> Iterator[Token]:
        """`token` and all below it, in the order of the sentence."""
        below, waiting = {token.index}, [token]
        while waiting:
            for child in self.children[waiting.pop().index]:
                if child.index not in below:
                    below.add(child.index)
                    waiting.append(child)
        return (self.tokens[index] for index in sorted(below))

    def chain(self, index: int) -> Iterator[int]:
        """The index of a token and those of all above it, up to the root; none for one below 0."""
        passed: set[int] = set()
        while index >= 0 and index not in passed:
            passed.add(index)
            yield index
            index = self.tokens[index].head

    def above(self, token: Token) -> Iterator[Token]:
        """The tokens that `token` hangs on, up to the root."""
        return (self.tokens[index] for index in self.chain(token.head))


class Parser(Protocol):
    """Parses sentences of one language. The built-in one is `reading.parser`; `reading.spacy_parser` wraps spaCy's."""

    @property
    def name(self) -> str:
        """With its version: part of what facts are addressed by."""
        ...

    @property
    def language(self) -> str:
        """ISO 639-1."""
        ...

    def parse(self, text: str, sentences: Sequence[tuple[int, int]]) -> list[ParsedSentence]:
        """The sentences `text[start:end]`, in order, each a well-formed tree even where it is wrong."""
        ...

    def parse_all(self, sentences: Sequence[tuple[str, tuple[int, int]]]) -> list[ParsedSentence]:
        """The same of sentences of several texts, each with its text: many at a time take half as long."""
        ...
