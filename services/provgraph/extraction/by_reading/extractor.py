"""The extractor "propositions": a passage is read into propositions, and those worth it become facts.

By rules over a parser's trees, with no model and no network. A sentence that cannot be read costs that sentence only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from provgraph.extraction.by_reading.typed_names import TypedNames
from provgraph.extraction.by_reading.worth import fact_of
from provgraph.extraction.facts import Fact, Passage
from provgraph.extraction.model_free.asides import asides
from provgraph.extraction.model_free.prose import is_prose
from provgraph.extraction.model_free.table_rows import row_facts
from provgraph.extraction.names import PROPOSITIONS
from provgraph.language.sentences import after_list_mark, sentence_spans
from provgraph.reading.parser import BuiltInParser
from provgraph.reading.reader import read_parsed
from provgraph.reading.syntax import ParsedSentence, Parser

VERSION: Final = "2"
_SENTENCES_AT_ONCE: Final = 64
_SHORT: Final = 7
"""Words that a sentence may have without one of the words that English sentences are held together by."""
_CLOSERS: Final = "\"”’')]0123456789"
_FUNCTION_WORD: Final = re.compile(
    r"\b(?:the|of|and|in|to|an?|is|was|by|for|with|on|at|from|as|his|her|its|are|were|be|has|had|who|which|that)\b",
    re.IGNORECASE,
)


def go_on() -> None:
    """Called before each batch of sentences where nobody wants to end the reading."""


class PropositionExtractor:
    """Implements `extraction.facts.FactExtractor`. Same passage and parser, same facts."""

    def __init__(self, parser: Parser | None = None, each_sentence: Callable[[], None] = go_on) -> None:
        """`each_sentence` is called between sentences, and may raise what ends the reading."""
        self._parser = BuiltInParser() if parser is None else parser
        self._each_sentence = each_sentence

    @property
    def name(self) -> str:
        return PROPOSITIONS

    @property
    def version(self) -> str:
        return f"{VERSION}+{self._parser.name}"

    def extract(self, passage: Passage) -> list[Fact]:
        """The facts of the passage's own sentences and table rows, in order, each once."""
        return self.extract_all([passage])[0]

    def extract_all(self, passages: Sequence[Passage]) -> list[list[Fact]]:
        """The facts of each passage; sentences are parsed many at a time, whichever passage they are of."""
        parsed: list[list[ParsedSentence]] = [[] for _ in passages]
        waiting = ((index, span) for index, passage in enumerate(passages) for span in _sentences(passage))
        while batch := list(islice(waiting, _SENTENCES_AT_ONCE)):
            self._each_sentence()
            texts = [(passages[index].text, span) for index, span in batch]
            for (index, _), sentence in zip(batch, self._parser.parse_all(texts), strict=True):
                parsed[index].append(sentence)
        return [self._facts(passage, own) for passage, own in zip(passages, parsed, strict=True)]

    def _facts(self, passage: Passage, sentences: Sequence[ParsedSentence]) -> list[Fact]:
        text = passage.text
        self._each_sentence()
        reading = read_parsed(text, sentences, passage.title)
        names = TypedNames(reading.propositions)
        facts: dict[tuple[object, ...], Fact] = {}
        for each in reading.propositions:
            fact = fact_of(each, text, names) if passage.owns(each.sentence.start) else None
            if fact is not None:
                facts.setdefault((fact.subject.label, fact.relation, fact.object.label, fact.start), fact)
        return sorted([*facts.values(), *row_facts(passage.table_rows)], key=lambda fact: fact.start)


def _sentences(passage: Passage) -> Iterator[tuple[int, int]]:
    """The sentences of prose up to the end of the passage's own ones; those before tell who is meant."""
    passed_over = asides(passage.text)
    for start, end in sentence_spans(passage.text):
        if start >= passage.own_end:
            return
        inside = any(first <= start < last for first, last in passed_over)
        if not inside and is_prose(passage.text, start, end) and _is_sentence(passage.text[start:end]):
            yield after_list_mark(passage.text, start, end), end


def _is_sentence(words: str) -> bool:
    """Whether it reads as English and is no heading: a heading has no full stop, and most of its words a capital."""
    short = len(words.split()) <= _SHORT and words.endswith(".")
    if not short and not _FUNCTION_WORD.search(words):
        return False
    found = [word for word in words.split() if word[0].isalpha()]
    capitals = sum(word[0].isupper() for word in found)
    return words.rstrip(_CLOSERS).endswith((".", "!", ":", ";")) or capitals * 2 < len(found)
