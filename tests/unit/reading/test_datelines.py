"""Where a report was filed is no part of what its first sentence says, for any reader of sentences."""

from __future__ import annotations

import pytest

from provgraph.extraction.facts import Passage
from provgraph.extraction.prose import prose_spans as extracted_spans
from provgraph.flows.runner.reading_passages import prose_spans as answering_spans
from provgraph.reading.datelines import after_dateline
from unit.reading.reading_fixtures import propositions

SENTENCE = "Acme Corp bought Zenith Ltd in 2019."


@pytest.mark.parametrize(
    "dateline",
    [
        "LONDON, March 3 (Reuters) - ",
        "PARIS (AP) — ",
        "WASHINGTON — ",
        "NEW YORK, March 3, 2024 /PRNewswire/ -- ",
        "Paris, 3 March (AFP) - ",
        "SAN FRANCISCO, California (AP) -- ",
    ],
)
def test_every_reader_begins_behind_the_dateline(dateline: str) -> None:
    text = dateline + SENTENCE
    assert [text[start:end] for start, end in extracted_spans(Passage(text))] == [SENTENCE]
    assert [text[start:end] for start, end in answering_spans(text)] == [SENTENCE]
    names = {
        argument.label
        for proposition in propositions(text)
        for argument in (proposition.subject, proposition.object, *proposition.arguments)
        if argument is not None
    }
    assert names == {"Acme Corp", "Zenith Ltd", "2019"}


@pytest.mark.parametrize(
    "text", ["NASA - The agency grew.", "BERT — A model of language.", "Paris - The capital of France."]
)
def test_what_is_no_place_of_filing_stays(text: str) -> None:
    assert after_dateline(text, 0, len(text)) == 0


def test_numbers_before_sentences_and_questions_are_not_read_for_answers() -> None:
    text = "Can I buy a ticket on board?\n\n2.2 Tickets are sold by the driver. Why not ask him?"
    assert [text[start:end] for start, end in answering_spans(text)] == ["Tickets are sold by the driver."]
