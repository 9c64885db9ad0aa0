"""A parser that keeps what it parsed last gives what the parser behind it gives, and asks that once."""

from __future__ import annotations

from collections.abc import Sequence

from provgraph.reading.kept_parses import KeptParses, RecentResults
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


def test_only_the_last_texts_are_kept_and_the_longer_they_are_the_fewer() -> None:
    kept = RecentResults[str, int](100)
    for number, characters in enumerate((40, 40, 40, 101)):
        kept.put(f"text {number}", number, characters)
    assert [kept.get(f"text {number}") for number in range(4)] == [None, 1, 2, None]
    kept.get("text 1")
    kept.put("text 4", 4, 60)
    assert [kept.get(f"text {number}") for number in (1, 2, 4)] == [1, None, 4]


def test_a_result_that_is_put_twice_counts_once() -> None:
    kept = RecentResults[str, int](100)
    for _ in range(5):
        kept.put("one", 1, 40)
    kept.put("other", 2, 40)
    assert (kept.get("one"), kept.get("other")) == (1, 2)
