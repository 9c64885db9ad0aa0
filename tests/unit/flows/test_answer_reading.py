"""The sentence that answers is read, not only the one that shares words; headings and opposites never answer."""

from __future__ import annotations

from provgraph.flows.runner.answer_reading import ReadSentence, is_heading, read_sentences, spelt_out
from provgraph.flows.runner.sentence_choice import AskedQuestion, SentenceCandidate

PAPER = (
    ("Abstract", "We introduce Kestrel, a parser that reads tables as sequences of cells."),
    ("Abstract", "Kestrel was named after a bird."),
    ("2 Method", "2 Kestrel"),
    ("2 Method", "Kestrel encodes each cell with its headers and joins the vectors by a gated sum."),
    ("4 Experiments", "We evaluate Kestrel on the TabBank corpus of 40,000 tables."),
    ("4 Experiments", "The exact match score (EMS) of Kestrel is 71.3."),
    ("6 Limitations", "Kestrel cannot read tables with merged cells."),
)
CONTRACT = (
    ("Duties", "The Carrier shall be responsible for the cargo during the voyage."),
    ("Duties", "The Carrier shall not be responsible for delays by customs."),
    ("Payment", "The Shipper shall pay each invoice within 21 days, unless the cargo is lost."),
)


def read(question: str, sentences: tuple[tuple[str, str], ...]) -> list[ReadSentence]:
    whole = " ".join(text for _, text in sentences)
    candidates = [
        SentenceCandidate(text, title="Reading tables", heading=heading, passage=whole)
        for heading, text in sentences
    ]
    return read_sentences(AskedQuestion(question), candidates)


def first(question: str, sentences: tuple[tuple[str, str], ...] = PAPER) -> str:
    best = read(question, sentences)[0]
    assert best.answers
    return best.sentence.text


def test_each_aspect_is_answered_by_the_sentence_that_says_it() -> None:
    assert first("What is Kestrel?").startswith("We introduce Kestrel")
    assert first("How does Kestrel encode cells?").startswith("Kestrel encodes")
    assert "TabBank" in first("Which data set was Kestrel evaluated on?")
    assert "merged cells" in first("What are the limitations of Kestrel?")
    assert "71.3" in first("What exact match score does Kestrel reach?")
    assert "(EMS)" in first("What does EMS stand for?")


def test_a_heading_is_no_answer() -> None:
    assert "2 Kestrel" not in {each.sentence.text for each in read("What is Kestrel?", PAPER)}


def test_what_nothing_says_is_not_answered() -> None:
    assert not any(each.answers for each in read("Which corpus was Osprey trained on?", PAPER))
    assert read("What does XYZ stand for?", PAPER) == []


def test_the_opposite_is_left_out_and_an_exception_is_kept() -> None:
    denied = read("What is the Carrier not responsible for?", CONTRACT)
    assert "during the voyage" not in " ".join(each.sentence.text for each in denied)
    assert "customs" in denied[0].sentence.text
    assert "voyage" in first("What is the Carrier responsible for?", CONTRACT)
    assert "unless the cargo is lost" in first("When does an invoice not have to be paid?", CONTRACT)


def test_a_short_form_is_told_in_full() -> None:
    form = spelt_out("What does EMS stand for?", PAPER[5][1])
    assert form is not None
    assert form.long == "exact match score"
    assert spelt_out("What is EMS?", PAPER[5][1]) is None


def test_a_question_without_capitals_and_one_with_a_possessive_name_the_same_thing() -> None:
    kept = "The scores of a parser are counted with care."
    sentences = (*PAPER, ("4 Experiments", "For cells Kestrel is scored by exact match, as TabBank asks."))
    for question in ("which corpus was kestrel evaluated on?", "What is Kestrel's evaluation corpus?"):
        assert "TabBank" in first(question, sentences)
    assert not any(each.answers for each in read("what is osprey's corpus?", (("Method", kept),)))


def test_all_that_stands_below_a_heading_for_what_is_asked_is_told() -> None:
    sentences = (*PAPER, ("6 Limitations", "Reading takes four times as long on scans."))
    both = [each for each in read("What are the limitations of Kestrel?", sentences) if each.answers][:2]
    assert {each.sentence.text for each in both} == {text for at, text in sentences if at.startswith("6")}
    assert both[0].stands_with(both[1])


def test_captions_and_headlines_are_no_answers_and_lists_of_names_are_no_headlines() -> None:
    assert is_heading("Table 2: Current models of the parser in the zoo")
    assert is_heading("The Seven Best Parsers Of Spring 2024.")
    assert not is_heading("Marie Curie, Pierre Curie, Henri Becquerel and Ernest Rutherford.")


def test_never_is_how_often_and_a_number_of_something_else_is_not() -> None:
    golf = (
        ("Majors", "Ada Quill has won four majors."),
        ("Majors", "Ada Quill has yet to win the Augusta Cup, though she came second twice."),
    )
    read_golf = read("How many times has Ada Quill won the Augusta Cup?", golf)
    assert golf[1][1] in [each.sentence.text for each in read_golf]
