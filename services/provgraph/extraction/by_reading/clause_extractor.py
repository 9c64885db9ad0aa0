"""What `provgraph extract` shows: each clause of a text as one fact in the text's own words. Nothing is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from provgraph.extraction.by_reading.extractor import go_on, parsed_sentences
from provgraph.extraction.by_reading.typed_names import TypedNames, stored
from provgraph.extraction.by_reading.worded_clauses import WordedClause, worded_clauses
from provgraph.extraction.facts import Entity, Fact, Passage, Value
from provgraph.extraction.labels import clean_label
from provgraph.extraction.stored_values import read_value
from provgraph.extraction.table_rows import row_facts
from provgraph.reading.parser import BuiltInParser
from provgraph.reading.reader import FAILURES, read_parsed
from provgraph.reading.syntax import ParsedSentence, Parser

VERSION: Final = "1"


class ClauseExtractor:
    """Implements `extraction.facts.FactExtractor`. Same passage and parser, same facts."""

    def __init__(self, parser: Parser | None = None, each_sentence: Callable[[], None] = go_on) -> None:
        """`each_sentence` is called between sentences, and may raise what ends the reading."""
        self._parser = BuiltInParser() if parser is None else parser
        self._each_sentence = each_sentence

    @property
    def name(self) -> str:
        return "clauses"

    @property
    def version(self) -> str:
        return f"{VERSION}+{self._parser.name}"

    def extract(self, passage: Passage) -> Sequence[Fact]:
        """The clauses of the passage's own sentences, in order, and a fact for each cell of its table rows."""
        (sentences,) = parsed_sentences([passage], self._parser, self._each_sentence)
        names = TypedNames(read_parsed(passage.text, sentences, passage.title).propositions, passage.title)
        facts = [
            _fact(clause, sentence, names)
            for sentence in sentences
            if passage.owns(sentence.start)
            for clause in clauses_of(sentence, passage.text)
        ]
        return sorted([*facts, *row_facts(passage.table_rows)], key=lambda fact: fact.start)


def clauses_of(sentence: ParsedSentence, text: str) -> list[WordedClause]:
    """The clauses of a sentence; none of one that cannot be read."""
    try:
        return worded_clauses(sentence, text)
    except FAILURES:
        return []


def _fact(clause: WordedClause, sentence: ParsedSentence, names: TypedNames) -> Fact:
    words = f"{clause.object} {clause.opening}".strip()
    return Fact(
        _entity(clause.subject, names),
        clause.relation,
        _thing(words, names),
        clause.certainty,
        sentence.start,
        sentence.end,
    )


def _thing(words: str, names: TypedNames) -> Entity | Value:
    return read_value(words) or _entity(words, names)


def _entity(words: str, names: TypedNames) -> Entity:
    label = clean_label(words)
    return Entity(words, stored(names.type_of(label)) if label else "")
