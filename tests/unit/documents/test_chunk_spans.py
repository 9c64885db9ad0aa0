"""Chunk spans of one page: exact, complete, natural, and moved by an edit only near it."""

from __future__ import annotations

import random
import statistics
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provgraph.documents.chunking import ChunkingSettings, ChunkSpan, chunk_page
from provgraph.errors import InvalidInput
from provgraph.language.sentences import sentence_spans

DEFAULT = ChunkingSettings()
HOSTILE = st.one_of(
    st.text(max_size=3000),
    st.text(alphabet=" \n\t.ab#|-", max_size=3000),
    st.text(alphabet="a😀\u200d\u0301ش漢。 \ud800\n", max_size=3000),
    st.builds(lambda word, times: word * times, st.text(min_size=1, max_size=12), st.integers(1, 900)),
)
SETTINGS = st.builds(
    lambda size, part: ChunkingSettings(size, int(size * part)), st.integers(100, 1500), st.floats(0, 0.5)
)


def prose(sentences: int, seed: int = 1, paragraph: int = 0) -> str:
    """Sentences of made-up words, the same for a seed; a blank line after every `paragraph` of them."""
    chance = random.Random(seed)
    words = ["".join(chance.choices("abcdefghijklmnop", k=chance.randint(2, 9))) for _ in range(3000)]
    made = [
        " ".join(chance.choices(words, k=chance.randint(4, 25))).capitalize() + "." for _ in range(sentences)
    ]
    return "".join(
        text + ("\n\n" if paragraph and number % paragraph == paragraph - 1 else " ")
        for number, text in enumerate(made)
    ).rstrip()


def texts(page: str, chunking: ChunkingSettings = DEFAULT) -> list[str]:
    return [page[span.start : span.end] for span in chunk_page(page, chunking)]


def assert_sound(page: str, chunking: ChunkingSettings, spans: list[ChunkSpan]) -> None:
    covered = 0
    for number, span in enumerate(spans):
        assert 0 <= span.start <= span.own_start < span.end <= len(page)
        assert span.end - span.start <= chunking.size
        assert span.own_start - span.start <= chunking.overlap
        assert not page[span.start].isspace()
        assert not page[span.end - 1].isspace()
        assert not page[covered : span.own_start].strip()
        assert number or span.start == span.own_start
        covered = span.end
    assert not page[covered:].strip()


@given(HOSTILE, SETTINGS)
def test_spans_are_within_size_and_their_own_regions_tile_the_text(
    page: str, chunking: ChunkingSettings
) -> None:
    assert_sound(page, chunking, chunk_page(page, chunking))


@pytest.mark.parametrize(
    "page",
    [
        "x" * 10_000,
        "word " * 5_000,
        "Same sentence. " * 3_000,
        "漢字。" * 9_000,
        "😀\u200d😀" * 3_000,
        "e\u0301" * 5_000,
        "| a | b |\n" * 3_000,
        "# H\n\n" * 3_000,
        "שלום עולם. " * 2_000,
    ],
)
def test_monotonous_texts_are_cut_as_well(page: str) -> None:
    assert_sound(page, DEFAULT, chunk_page(page, DEFAULT))


def test_no_letter_is_parted_from_its_accent() -> None:
    for page in ("e\u0301" * 5_000, "😀\u200d" * 5_000):
        for text in texts(page, ChunkingSettings(500, 0)):
            assert text[0] in "e😀"


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 2**32),
    st.sampled_from([0, 4, 12]),
    st.floats(0, 1),
    st.sampled_from(["insert", "remove"]),
)
def test_one_changed_sentence_changes_only_the_chunks_around_it(
    seed: int, paragraph: int, where: float, edit: str
) -> None:
    page = prose(500, seed, paragraph)
    spans = sentence_spans(page)
    start, end = spans[int(where * (len(spans) - 1))]
    new = "The inserted sentence is about nothing at all. " if edit == "insert" else ""
    edited = page[:start] + new + page[start if new else end :].lstrip(" ")
    before, after = texts(page), texts(edited)
    assert len(before) > 40
    assert len(set(after) - set(before)) <= 6
    assert len(set(before) - set(after)) <= 6


@given(st.integers(0, 1000))
def test_chunks_are_the_same_wherever_the_text_stands(shift: int) -> None:
    page = prose(200)
    moved = texts("An opening of another length. " * shift + page)
    assert texts(page)[8:] == moved[-len(texts(page)[8:]) :]


def test_chunking_again_gives_the_same_spans() -> None:
    page = prose(300, paragraph=5)
    assert chunk_page(page, DEFAULT) == chunk_page(page, ChunkingSettings())


@pytest.mark.parametrize("paragraph", [0, 3, 12])
def test_chunks_are_well_filled_and_begin_with_a_sentence(paragraph: int) -> None:
    page = prose(1500, paragraph=paragraph)
    spans = chunk_page(page, DEFAULT)
    starts = {start for start, _ in sentence_spans(page)}
    assert 600 <= statistics.mean(span.end - span.start for span in spans) <= 850
    assert min(span.end - span.own_start for span in spans) >= 200
    assert all(span.own_start in starts for span in spans)


def test_paragraphs_are_kept_whole_where_they_fit() -> None:
    page = prose(300, paragraph=4)
    cuts = [span.own_start for span in chunk_page(page, DEFAULT)[1:]]
    assert statistics.mean(page[at - 2 : at] == "\n\n" for at in cuts) > 0.9


def test_a_heading_is_not_left_behind_by_its_text() -> None:
    sections = [f"Heading of section {number}\n\n{prose(9, seed=number)}" for number in range(60)]
    for text in texts("\n\n".join(sections)):
        assert not text.rstrip().rsplit("\n\n", 1)[-1].startswith("Heading of section")


def test_the_overlap_begins_at_a_sentence_or_else_at_a_word() -> None:
    page = prose(500)
    starts = {start for start, _ in sentence_spans(page)}
    for span in chunk_page(page, DEFAULT)[1:]:
        assert span.start in starts or page[span.start - 1].isspace()
    assert all(span.start == span.own_start for span in chunk_page(page, ChunkingSettings(1000, 0)))


def test_a_short_page_is_one_chunk_and_an_empty_one_none() -> None:
    assert chunk_page("  One sentence.\n", DEFAULT) == [ChunkSpan(2, 15, 2)]
    assert chunk_page(" \n\f ", DEFAULT) == []


@pytest.mark.parametrize(("size", "overlap"), [(99, 0), (0, 0), (1000, -1), (1000, 501), (200, 200)])
def test_settings_that_cannot_work_are_refused_with_the_range(size: int, overlap: int) -> None:
    with pytest.raises(InvalidInput, match="Choose"):
        ChunkingSettings(size, overlap)


@pytest.mark.parametrize("text", ["a\n" * 40_000, "Radium\n\n" * 10_000, "a " * 40_000])
def test_cutting_a_text_of_very_short_lines_takes_little_memory(text: str) -> None:
    tracemalloc.start()
    chunk_page(text, ChunkingSettings())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 25 * len(text)
