"""What the rules say of a claim by a few sentences, and that a claim and its denial are opposites."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provgraph.flows.fact_verification.rules.decision import Decision, decide
from provgraph.language.sentences import sentence_spans
from provgraph.provenance.verification_trace import Label

CURIE = (
    "Marie Curie was a Polish-French physicist. She was born in Warsaw on 7 November 1867. Curie discovered polonium "
    "and radium with her husband Pierre. She won the Nobel Prize in Physics in 1903 and the Nobel Prize in Chemistry "
    "in 1911. She was not admitted to the French Academy of Sciences."
)
TOWER = (
    "The Eiffel Tower is a wrought-iron lattice tower in Paris, France. It was completed in 1889 and was the tallest "
    "structure in the world until 1930. The tower has three levels for visitors."
)
DRUGS = (
    "Aspirin reduces the risk of heart attack in adults. The drug does not prevent stroke in women under 50. "
    "Ibuprofen increased blood pressure in the trial."
)
FILM = (
    "Inception is a 2010 science fiction film written and directed by Christopher Nolan. The film stars Leonardo "
    "DiCaprio. It was released on 16 July 2010 by Warner Bros."
)
RADIUM = (
    "Marie Curie discovered radium in December 1898. She obtained it as a metal in 1910, with André Debierne, who had "
    "discovered actinium in 1899. Marie Curie received the Nobel Prize in 1911 for the discovery of radium."
)
FAMILY = (
    "Irène Joliot-Curie and Frédéric Joliot-Curie discovered artificial radioactivity in 1934. Marie Curie had "
    "founded their institute."
)
CRICKET = "Bob Smith is an English cricketer who only played for Kent. Kent beat Surrey in the 1972 final."
S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO
OPPOSITE = {S: R, R: S, N: N}


def judged(claim: str, text: str) -> Decision:
    return decide(claim, [("", [text[start:end] for start, end in sentence_spans(text)])])


@pytest.mark.parametrize(
    ("text", "claim", "label"),
    [
        (CURIE, "Marie Curie was born in Warsaw.", S),
        (CURIE, "Marie Curie was born in Berlin.", R),
        (CURIE, "Marie Curie was born in 1901.", R),
        (CURIE, "Marie Curie was a scientist.", S),
        (CURIE, "Marie Curie was a German physicist.", R),
        (CURIE, "Marie Curie was not admitted to the French Academy of Sciences.", S),
        (CURIE, "Marie Curie was admitted to the French Academy of Sciences.", R),
        (CURIE, "Marie Curie discovered only radium.", R),
        (CURIE, "Marie Curie never won a Nobel Prize.", R),
        (CURIE, "Marie Curie played the violin.", N),
        (RADIUM, "Marie Curie discovered radium in 1898.", S),
        (RADIUM, "Marie Curie discovered radium in 1899.", R),
        (RADIUM, "Marie Curie discovered radium in 1911.", R),
        (RADIUM, "Marie Curie received the Nobel Prize in 1911.", S),
        (FAMILY, "Irène Joliot-Curie discovered artificial radioactivity.", S),
        (FAMILY, "Marie Curie discovered artificial radioactivity.", N),
        (FAMILY, "Marie Curie discovered artificial radioactivity in 1950.", N),
        (TOWER, "The Eiffel Tower is in London.", R),
        (TOWER, "The Eiffel Tower is located in France.", S),
        (TOWER, "The Eiffel Tower is a building in Europe.", S),
        (TOWER, "The Eiffel Tower has five levels.", R),
        (TOWER, "The Eiffel Tower is painted green.", N),
        (DRUGS, "Aspirin increases the risk of heart attack.", R),
        (DRUGS, "Ibuprofen raised blood pressure.", S),
        (DRUGS, "The drug prevents stroke in women under 50.", R),
        (DRUGS, "Aspirin cures cancer.", N),
        (FILM, "Inception was directed by Steven Spielberg.", R),
        (FILM, "Steven Spielberg directed Inception.", R),
        (FILM, "Inception is a novel.", R),
        (FILM, "Inception was released in August 2010.", R),
        (FILM, "Inception stars Tom Cruise.", N),
        (CRICKET, "Surrey beat Kent in the 1972 final.", R),
        (CRICKET, "Bob Smith only played for Kent.", S),
        (CRICKET, "Bob Smith is British.", S),
        (CRICKET, "Bob Smith is an athlete.", S),
    ],
)
def test_a_claim_is_held_against_what_the_sentences_say(text: str, claim: str, label: Label) -> None:
    assert judged(claim, text).label is label


SUBJECTS = {
    "Marie Curie was": CURIE,
    "The Eiffel Tower is": TOWER,
    "Inception is": FILM,
    "Bob Smith is": CRICKET,
}
SAID = st.sampled_from(
    "a physicist|born in Warsaw|born in Berlin|in Paris|in London|a film|a novel|American|English|a cricketer|"
    "directed by Christopher Nolan|directed by Steven Spielberg|admitted to the French Academy of Sciences|"
    "completed in 1889|completed in 1925|painted green|the husband of Pierre".split("|")
)


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(sorted(SUBJECTS)), SAID)
def test_a_claim_and_its_denial_have_opposite_labels(subject: str, said: str) -> None:
    claim, denial = f"{subject} {said}.", f"{subject} not {said}."
    text = SUBJECTS[subject]
    assert judged(denial, text).label is OPPOSITE[judged(claim, text).label]


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.text(max_size=400))
def test_any_text_is_judged_and_measures_stay_in_bounds(claim: str, text: str) -> None:
    found = judged(claim, text)
    assert 0 <= found.confidence <= 1
    assert 0 <= found.coverage <= 1


def test_nothing_is_said_by_no_evidence() -> None:
    assert decide("Marie Curie was born in Warsaw.", []).label is N


def test_denied_evidence_speaks_against_what_it_denies_only() -> None:
    text = "Kent did not win the cup in 1972. Surrey won the league."
    assert judged("Kent won the cup in 1972.", text).label is R
    assert judged("Surrey won the league.", text).label is S
