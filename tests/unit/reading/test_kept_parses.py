"""A parser that keeps what it parsed last gives what the parser behind it gives, and asks that once."""

from __future__ import annotations

from collections.abc import Sequence

from provgraph.reading.kept_parses import KEPT, KeptParses
from provgraph.reading.parser import BuiltInParser
from provgraph.reading.syntax import ParsedSentence

TEXT = "The mill was built by Ada Novak."


class CountingParser(BuiltInParser):
    def __init__(self) -> None:
        self.texts: list[str] = []

    def parse(self, text: str, sentences: Sequence[tuple[int, int]]) -> list[ParsedSentence]:
        self.texts.append(text)
        return super().parse(text, sentences)


def test_the_same_words_are_parsed_once_and_give_the_same_trees() -> None:
    counting = CountingParser()
    parser = KeptParses(counting)
    first, again = (parser.parse(TEXT, [(0, len(TEXT))]) for _ in range(2))
    assert first == again == BuiltInParser().parse(TEXT, [(0, len(TEXT))])
    assert counting.texts == [TEXT]


def test_other_sentences_of_a_text_are_parsed_by_themselves() -> None:
    counting = CountingParser()
    parser = KeptParses(counting)
    (whole,), (part,) = parser.parse(TEXT, [(0, len(TEXT))]), parser.parse(TEXT, [(0, 8)])
    assert len(part.tokens) < len(whole.tokens)
    assert counting.texts == [TEXT, TEXT]


def test_only_the_last_texts_are_kept() -> None:
    counting = CountingParser()
    parser = KeptParses(counting)
    for text in [TEXT, *(f"Mill {number}." for number in range(KEPT)), TEXT]:
        parser.parse(text, [(0, len(text))])
    assert counting.texts.count(TEXT) == 2
