"""The last results of texts that have so many characters together, and a parser that keeps its parses: a question is
parsed for what it asks, for its relations and for what it describes, and each time it is the same words."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from typing import Final, Generic, TypeVar

from provgraph.reading.syntax import ParsedSentence, Parser

KEPT_CHARACTERS: Final = 100_000
"""Of the texts whose trees are kept, some 200 bytes each. Trees never change."""

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class RecentResults(Generic[Key, Value]):
    """Results by the keys of their texts, the least used going first when the texts have more than `characters`
    together: what a text takes in memory grows with its length. Threads may share one."""

    def __init__(self, characters: int) -> None:
        self._most = characters
        self._characters = 0
        self._kept: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Key) -> Value | None:
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def put(self, key: Key, value: Value, characters: int) -> None:
        """Keep a result; one that is larger than all of them may be is not kept."""
        if characters > self._most:
            return
        with self._lock:
            _, before = self._kept.pop(key, (value, 0))
            self._kept[key] = value, characters
            self._characters += characters - before
            while self._characters > self._most:
                self._characters -= self._kept.popitem(last=False)[1][1]


class KeptParses:
    """Implements `reading.syntax.Parser` by another parser. Threads may share one."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._parsed: RecentResults[tuple[str, tuple[tuple[int, int], ...]], tuple[ParsedSentence, ...]]
        self._parsed = RecentResults(KEPT_CHARACTERS)

    @property
    def name(self) -> str:
        return self._parser.name

    @property
    def language(self) -> str:
        return self._parser.language

    def parse(self, text: str, sentences: Sequence[tuple[int, int]]) -> list[ParsedSentence]:
        key = text, tuple(sentences)
        parsed = self._parsed.get(key)
        if parsed is None:
            parsed = tuple(self._parser.parse(text, sentences))
            self._parsed.put(key, parsed, len(text))
        return list(parsed)

    def parse_all(self, sentences: Sequence[tuple[str, tuple[int, int]]]) -> list[ParsedSentence]:
        return self._parser.parse_all(sentences)
