"""Spans, seams and hostile text: what holds for whatever the extractor is given."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provgraph.extraction.by_reading import ClauseExtractor, PropositionExtractor
from provgraph.extraction.facts import Fact, FactExtractor, Passage
from provgraph.language.sentences import after_list_mark, sentence_spans

EXTRACTORS: tuple[FactExtractor, ...] = (PropositionExtractor(), ClauseExtractor())
both = pytest.mark.parametrize("extractor", EXTRACTORS, ids=lambda each: each.name)
FEW = settings(deadline=None, max_examples=30)

SENTENCES = (
    "Marie Curie discovered polonium in Paris in 1898.",
    "The World Health Organization (WHO), founded in 1948, is based in Geneva.",
    "She won the prize and moved to Berlin.",
    "“Go,” he said.",
    "The budget rose to $4.5 million, a record.",
    "서울은 수도이다.",
    "Nokia is a company that makes phones, cables and boots",
    "- one item",
    "((",
)
PROSE = st.lists(st.sampled_from(SENTENCES)).flatmap(
    lambda parts: st.sampled_from([" ", "\n", "\n\n", "  "]).map(lambda gap: gap.join(parts))
)
PIECES = (
    "the a Marie Curie , . ( ) who which that is was founded discovered in of and by to not 's 1898 $ 4.5 % "
    "company river \" '' `` - said it she"
)
WORDS = st.lists(st.sampled_from(PIECES.split())).map(" ".join)


@both
@FEW
@given(st.one_of(PROSE, WORDS, st.text()), st.text(max_size=20))
def test_every_fact_lies_in_exactly_one_sentence_of_the_passage(
    extractor: FactExtractor, text: str, title: str
) -> None:
    spans = {(after_list_mark(text, start, end), end) for start, end in sentence_spans(text)}
    for fact in extractor.extract(Passage(text, title)):
        assert (fact.start, fact.end) in spans


@both
@FEW
@given(st.one_of(PROSE, WORDS))
def test_facts_are_clean_graded_and_the_same_each_time(extractor: FactExtractor, text: str) -> None:
    found = extractor.extract(Passage(text))
    assert found == extractor.extract(Passage(text))
    for fact in found:
        assert 0 < fact.confidence <= 1
        assert abs(fact.confidence * 20 - round(fact.confidence * 20)) < 1e-9
        assert fact.subject.label
        assert fact.relation == " ".join(fact.relation.split())


@both
@FEW
@given(PROSE, st.integers(0, 300), st.integers(0, 300))
def test_only_sentences_that_start_in_the_own_part_are_read(
    extractor: FactExtractor, text: str, start: int, length: int
) -> None:
    end = min(len(text), start + length)
    for fact in extractor.extract(Passage(text, own_start=start, own_end=end)):
        assert start <= fact.start < end


@both
@FEW
@given(PROSE, st.integers(0, 200))
def test_two_halves_together_read_every_sentence_once(extractor: FactExtractor, text: str, cut: int) -> None:
    def places(passage: Passage) -> list[tuple[int, str, str]]:
        return [(f.start, f.relation, f.object.label) for f in extractor.extract(passage)]

    cut = min(cut, len(text))
    left = places(Passage(text, own_end=cut))
    right = places(Passage(text, own_start=cut))
    assert left + right == places(Passage(text))


@both
def test_a_sentence_that_goes_on_after_the_seam_is_one_sentence(extractor: FactExtractor) -> None:
    page, rest = "The old mill burned. Marie Curie discovered", "polonium in 1898."
    text = f"{page} {rest}"
    passage = Passage(text, own_end=len(page), seam=len(page) + 1)
    found = extractor.extract(passage)
    assert found
    assert {text[f.start : f.end] for f in found} == {f"Marie Curie discovered {rest}"}
    assert all(f.start < passage.seam < f.end for f in found)


INJECTED = '<http://a> <b> "c" . } ; DROP GRAPH <x> ; <script>alert(1)</script> \\" \\u0000'


@both
@pytest.mark.parametrize(
    "text",
    [
        "x" * 100_000,
        "Marie " * 20_000,
        "the " * 20_000,
        "discovered " * 10_000,
        "a,b;" * 20_000,
        "((((" * 20_000,
        "'" * 50_000,
        "1" * 100_000,
        "1," * 50_000,
        "n't" * 30_000,
        "a-" * 50_000,
        "A." * 50_000,
        "“A" * 30_000,
        "``A " * 20_000,
        "$1 million " * 10_000,
        "a - b " * 20_000,
        "(WHO) " * 10_000,
        "is a " * 200 + ".",
        "Tom, " * 200 + "left.",
        "\x00\ud800\ufffe" * 1000,
        INJECTED,
        f"Marie Curie discovered {INJECTED} in 1898.",
    ],
)
def test_hostile_text_is_read_without_error(extractor: FactExtractor, text: str) -> None:
    found: Sequence[Fact] = extractor.extract(Passage(text))
    assert all(fact.subject.label for fact in found)
