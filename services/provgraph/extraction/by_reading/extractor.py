"""The extractor "propositions": a passage is read into propositions, and those worth it become facts.

By rules over a parser's trees, with no model and no network. A sentence that cannot be read costs that sentence only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final

from provgraph.extraction.by_reading.typed_names import TypedNames
from provgraph.extraction.by_reading.worth import fact_of
from provgraph.extraction.facts import Fact, Passage
from provgraph.extraction.names import PROPOSITIONS
from provgraph.extraction.prose import prose_spans
from provgraph.extraction.table_rows import row_facts
from provgraph.reading.parser import BuiltInParser
from provgraph.reading.reader import read_parsed
from provgraph.reading.syntax import ParsedSentence, Parser

VERSION: Final = "14"
_SENTENCES_AT_ONCE: Final = 64


def go_on() -> None:
    """Called before each batch of sentences where nobody wants to end the reading."""


def parsed_sentences(
    passages: Sequence[Passage], parser: Parser, each_sentence: Callable[[], None] = go_on
) -> list[list[ParsedSentence]]:
    """The sentences of prose of each passage, parsed many at a time, whichever passage they are of."""
    parsed: list[list[ParsedSentence]] = [[] for _ in passages]
    waiting = ((index, span) for index, passage in enumerate(passages) for span in prose_spans(passage))
    while batch := list(islice(waiting, _SENTENCES_AT_ONCE)):
        each_sentence()
        texts = [(passages[index].text, span) for index, span in batch]
        for (index, _), sentence in zip(batch, parser.parse_all(texts), strict=True):
            parsed[index].append(sentence)
    return parsed


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
        parsed = parsed_sentences(passages, self._parser, self._each_sentence)
        return [self.facts(passage, own) for passage, own in zip(passages, parsed, strict=True)]

    def facts(self, passage: Passage, sentences: Sequence[ParsedSentence]) -> list[Fact]:
        """The facts of its own sentences, of which `sentences` are parsed, and of its table rows."""
        text = passage.text
        self._each_sentence()
        reading = read_parsed(text, sentences, passage.title)
        names = TypedNames(reading.propositions, passage.title)
        facts: dict[tuple[object, ...], Fact] = {}
        for proposition in reading.propositions:
            fact = fact_of(proposition, text, names) if passage.owns(proposition.sentence.start) else None
            if fact is not None:
                facts.setdefault((fact.subject.label, fact.relation, fact.object.label, fact.start), fact)
        return sorted([*facts.values(), *row_facts(passage.table_rows)], key=lambda fact: fact.start)
