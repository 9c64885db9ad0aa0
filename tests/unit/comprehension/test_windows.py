"""A sentence is read with its neighbours, as many as the network was trained to read."""

from hypothesis import given
from hypothesis import strategies as st

from provgraph.comprehension.windows import MOST_SENTENCES, MOST_WORDS, around
from provgraph.language.sentences import sentence_spans


def test_a_sentence_is_read_with_its_neighbours() -> None:
    text = "One came. Two stayed. Three left."
    assert around(text, list(sentence_spans(text)), 1) == (0, len(text))


def test_a_long_sentence_is_read_alone() -> None:
    long = " ".join(["word"] * MOST_WORDS) + "."
    text = f"It began. {long} It ended."
    spans = [(0, 9), (10, 10 + len(long)), (11 + len(long), len(text))]
    assert around(text, spans, 1) == spans[1]


@given(st.lists(st.integers(1, 120), min_size=1, max_size=12), st.data())
def test_a_window_has_its_sentence_and_no_more_than_fits(counts: list[int], data: st.DataObject) -> None:
    sentences = [" ".join(["w"] * count) for count in counts]
    text, spans, at = "\n".join(sentences), [], 0
    for each in sentences:
        spans.append((at, at + len(each)))
        at += len(each) + 1
    number = data.draw(st.integers(0, len(spans) - 1))
    start, end = around(text, spans, number)
    inside = [each for each in spans if start <= each[0] and each[1] <= end]
    assert spans[number] in inside
    assert len(inside) <= MOST_SENTENCES
    assert len(inside) == 1 or len(text[start:end].split()) <= MOST_WORDS
