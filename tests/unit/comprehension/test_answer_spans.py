"""What the network reads as the answer, in texts that it was not trained on."""

import pytest

from provgraph.comprehension.answer_spans import answer_spans
from provgraph.comprehension.network import network

FERRY = (
    "The Halden ferry. The ferry was designed by Ruth Amdahl and went into service in April 1987. It carries 140 cars "
    "and cost 36 million kroner. Amdahl, a shipwright from Larvik, had learnt her trade in Glasgow."
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who designed the ferry?", "Ruth Amdahl"),
        ("When did the ferry go into service?", "April 1987"),
        ("How many cars does the ferry carry?", "140"),
        ("Where did Amdahl learn her trade?", "Glasgow"),
    ],
)
def test_the_likeliest_span_answers(question: str, answer: str) -> None:
    (best, *_), *_ = answer_spans(question, [FERRY])
    assert answer in best.text
    assert FERRY[best.start : best.end] == best.text


def test_a_text_that_does_not_say_it_has_no_likely_span() -> None:
    says, silent = answer_spans(
        "Who designed the ferry?", [FERRY, "The sun rose late in December, as it does there."]
    )
    assert says[0].chance > 5 * silent[0].chance


def test_chances_are_of_all_spans_and_none() -> None:
    (found,) = answer_spans("Who designed the ferry?", [FERRY], most=20)
    chances = [each.chance for each in found]
    assert chances == sorted(chances, reverse=True)
    assert 0 < sum(chances) <= 1 + 1e-6


def test_nothing_is_found_in_nothing_and_texts_may_be_long() -> None:
    empty, long = answer_spans("Who designed the ferry?", ["", FERRY + " And so on." * 5_000])
    assert empty == []
    assert long[0].text == "Ruth Amdahl"


def test_each_text_has_the_same_answer_alone_and_beside_others() -> None:
    texts = [FERRY, "Ruth Amdahl lives in Larvik.", "", "A ferry " * 90]
    together = answer_spans("Who designed the ferry?", texts)
    for text, found in zip(texts, together, strict=True):
        (alone,) = answer_spans("Who designed the ferry?", [text])
        assert [each.text for each in alone[:1]] == [each.text for each in found[:1]]


def test_scores_are_the_same_on_every_processor() -> None:
    """Without VNNI instructions ONNX Runtime clips sums of eight-bit products unless it is told not to; one score of an
    earlier network was 3.6 then, and 4.2 with them."""
    (scores,) = network().scores(
        [("What was the name of Emil Staub's wife?", "In 1907 Emil Staub married the violinist Clara Holm.")]
    )
    assert [round(float(each), 1) for each in scores.starts[7:10]] == pytest.approx(
        [-0.4, -0.1, 6.5], abs=0.15
    )
