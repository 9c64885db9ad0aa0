"""A parser that keeps what it parsed last: a question is parsed for what it asks, for its relations and for what it
describes, and each time it is the same words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from provgraph.reading.syntax import ParsedSentence, Parser

KEPT: Final = 128
"""Of so many texts, the last, the trees are kept. They never change."""


class KeptParses:
    """Implements `reading.syntax.Parser` by another parser. Threads may share one."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._parsed = lru_cache(KEPT)(self._parse)

    @property
    def name(self) -> str:
        return self._parser.name

    @property
    def language(self) -> str:
        return self._parser.language

    def parse(self, text: str, sentences: Sequence[tuple[int, int]]) -> list[ParsedSentence]:
        return list(self._parsed(text, tuple(sentences)))

    def parse_all(self, sentences: Sequence[tuple[str, tuple[int, int]]]) -> list[ParsedSentence]:
        return self._parser.parse_all(sentences)

    def _parse(self, text: str, sentences: tuple[tuple[int, int], ...]) -> tuple[ParsedSentence, ...]:
        return tuple(self._parser.parse(text, sentences))
