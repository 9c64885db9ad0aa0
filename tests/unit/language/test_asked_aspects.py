"""What a question asks for is told from its words, and which sentence defines a thing from how it is built."""

from __future__ import annotations

import pytest

from provgraph.language.asked_aspects import asked_aspect, asked_overview, defines, thing_asked


@pytest.mark.parametrize(
    ("question", "aspect"),
    [
        ("What is a heron network?", "definition"),
        ("How does gating work?", "mechanism"),
        ("Which data set was Kestrel tested on?", "data set"),
        ("How is the parser evaluated?", "metric"),
        ("Is Kestrel faster than Heron?", "comparison"),
        ("What are the limitations of Kestrel?", "limitation"),
        ("What F1 does Kestrel reach?", "result"),
        ("What does GRU stand for?", "abbreviation"),
        ("Why is the encoder shared?", "reason"),
        ("Who wrote the paper?", ""),
    ],
)
def test_an_aspect_is_told_from_the_question(question: str, aspect: str) -> None:
    cues = asked_aspect(question)
    assert (cues.aspect if cues else "") == aspect


def test_a_definition_has_the_thing_as_its_subject_or_presents_it() -> None:
    assert defines("Kestrel", "Kestrel is a parser that reads tables.") == 1
    assert defines("Kestrel", "In this paper we introduce Kestrel, a parser of tables.") == 1
    assert defines("kernel function", "It is given by a kernel function, i.e., an inner product.") == 1
    assert defines("Kestrel", "Kestrel was trained for three days.") == 0
    assert defines("Kestrel", "We compare it with Kestrel on two tasks.") == 0


def test_a_name_behind_what_it_is_is_defined_and_one_beside_another_thing_is_not() -> None:
    proposed = "We propose a new simple network architecture, the Transformer, based on attention."
    assert defines("Transformer", proposed) == 1.0
    assert defines("Transformer", "BERT is a multi-layer bidirectional Transformer encoder.") < 0.8


def test_the_thing_that_is_asked_for() -> None:
    assert thing_asked("What is a heron network?") == "heron network"
    assert thing_asked("How does the encoder work?") == "encoder"
    assert thing_asked("Name three birds.") == ""


def test_an_overview_is_asked_of_papers_and_not_of_something_in_them() -> None:
    assert asked_overview("Summarize these papers.") == "summary"
    assert asked_overview("Compare the two papers.") == "comparison"
    assert asked_overview("Compare the error rates of Kestrel and Heron.") == ""
    assert asked_overview("What does Kestrel summarize?") == ""
