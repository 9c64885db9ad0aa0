"""Chunks of a whole document: sentences over a page end, running heads, and texts that stand twice."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from provgraph.documents.chunking import ChunkingSettings
from provgraph.documents.chunks import Chunk, chunk_document
from provgraph.documents.document import Page

CUT = "Marie Curie was born in Warsaw. She discovered two elements together with"
REST = "her husband Pierre. They shared a prize."


def pages(*texts: str) -> list[Page]:
    return [Page(number, text) for number, text in enumerate(texts, start=1)]


def chunks(*texts: str) -> list[Chunk]:
    return [chunk for _, found in chunk_document(pages(*texts)) for chunk in found]


def quoted(chunk: Chunk, texts: tuple[str, ...]) -> list[str]:
    """The words on the pages that the whole passage of the chunk was made of."""
    return [texts[page - 1][start:end] for page, start, end in chunk.page_spans(0, len(chunk.passage))]


def test_a_sentence_that_a_page_end_cuts_is_read_whole_and_once() -> None:
    first, second = chunks(CUT, REST)
    assert first.text == CUT
    assert first.passage == f"{CUT} her husband Pierre."
    assert first.passage[first.seam :] == "her husband Pierre."
    assert quoted(first, (CUT, REST)) == [CUT, "her husband Pierre."]
    assert second.text == second.passage == REST
    assert REST[second.own_start : second.own_end].strip() == "They shared a prize."
    assert second.seam == -1


def test_running_heads_and_page_numbers_are_not_read_into_the_sentence() -> None:
    head, texts = "Lives of Chemists · {}\n\n", []
    for number, text in enumerate(("First page of all.", CUT, REST, "The last page."), start=1):
        texts.append(f"{head.format(number)}{text}\n\n- {number} -")
    cut = next(chunk for chunk in chunks(*texts) if chunk.continuation)
    assert cut.page == 2
    assert cut.text.endswith("- 2 -")
    assert cut.passage.endswith("together with her husband Pierre.")
    assert "".join(quoted(cut, tuple(texts))).endswith("together withher husband Pierre.")


def test_nothing_is_joined_where_it_is_not_certain() -> None:
    for first, second in [
        ("A whole sentence.", REST),
        ("A whole sentence.”", REST),
        ("No full stop", "But a capital here. More."),
        ("A row |", REST),
        ("A sentence that goes on", "with words " * 100),
        ("A sentence that goes on", "a heading without an end\n\nAnd more."),
        ("A sentence that goes on", ""),
        ("끝나지 않은 문장", "계속되는 문장이다."),
    ]:
        assert not any(chunk.continuation for chunk in chunks(first, second)), (first, second)


def test_a_paragraph_that_stands_twice_makes_two_chunks_told_apart() -> None:
    found = chunks("The same words.", "Other words.", "The same words.", "The same words.")
    assert [(chunk.text[:4], chunk.page, chunk.occurrence) for chunk in found] == [
        ("The ", 1, 0),
        ("Othe", 2, 0),
        ("The ", 3, 1),
        ("The ", 4, 2),
    ]


def test_every_page_is_given_also_one_without_text() -> None:
    assert [(page.number, len(found)) for page, found in chunk_document(pages("One.", " ", "Three."))] == [
        (1, 1),
        (2, 0),
        (3, 1),
    ]


def test_chunks_count_within_their_page() -> None:
    long = " ".join(f"Sentence number {number} is here." for number in range(120))
    for _, found in chunk_document(pages(long, long)):
        assert [chunk.index for chunk in found] == list(range(len(found)))


@given(st.lists(st.text(alphabet="ab AB.\n1-|", max_size=300), max_size=6), st.integers(0, 50))
def test_chunks_and_passages_are_exactly_what_stands_on_the_pages(texts: list[str], overlap: int) -> None:
    for page, found in chunk_document(pages(*texts), ChunkingSettings(100, overlap)):
        for chunk in found:
            assert page.text[chunk.start : chunk.end] == chunk.text
            assert chunk.start <= chunk.own_start <= chunk.end
            assert chunk.own_end <= chunk.end
            assert " ".join(quoted(chunk, tuple(texts))) == chunk.passage
            for at in range(len(chunk.passage)):
                places = chunk.page_spans(at, at + 1)
                assert (at == chunk.seam - 1) == (not places)
                for number, start, end in places:
                    assert texts[number - 1][start:end] == chunk.passage[at]
