"""One claim for each way in which a claim is met or excluded, and for each trap of words that look alike."""

from __future__ import annotations

import time

import pytest

from provgraph.reading.parser import BuiltInParser
from provgraph.verdicts.claim_clauses import clauses_of
from provgraph.verdicts.judgement import EvidenceText, Judgement
from provgraph.verdicts.judging import judge

PARSER = BuiltInParser()


def verdict(claim: str, text: str, title: str = "") -> Judgement:
    return judge(claim, [EvidenceText("doc", text, title)], PARSER)


SUPPORTED = [
    pytest.param(
        "Children under six travel free.",
        "A crossing costs 48 kroner for adults; children under six travel free.",
        id="word for word",
    ),
    pytest.param(
        "Vera Lind wrote Cold Harbour.", "Cold Harbour was written by Vera Lind.", id="active and passive"
    ),
    pytest.param(
        "Vera Lind is the author of Cold Harbour.", "Vera Lind wrote Cold Harbour.", id="noun and verb"
    ),
    pytest.param(
        "Tomas Berg studied at Uppsala University.",
        "Tomas Berg graduated from Uppsala University in 1961.",
        id="entailing verb",
    ),
    pytest.param(
        "Ada Novak married Karl Reed.", "Karl Reed married Ada Novak in 1950.", id="symmetric relation"
    ),
    pytest.param(
        "Nils Holm was born in 1931.", "Nils Holm was born on 4 May 1931 in Bergen.", id="day within year"
    ),
    pytest.param(
        "Nils Holm was born in the 1930s.",
        "Nils Holm was born on 4 May 1931 in Bergen.",
        id="day within decade",
    ),
    pytest.param("The bridge weighs 3.5 tonnes.", "The bridge weighs 3,500 kg.", id="units"),
    pytest.param("Orlo Mills employs more than 20 people.", "Orlo Mills employs 30 people.", id="bound"),
    pytest.param("Nils Holm was born in Norway.", "Nils Holm was born in Oslo, Norway.", id="place within"),
    pytest.param("Ada Novak is European.", "Ada Novak is a Polish botanist.", id="adjective within"),
    pytest.param("Ada Novak is a scientist.", "Ada Novak is a Polish botanist and chemist.", id="kind above"),
    pytest.param("Novak discovered the comet.", "Ada Novak discovered the comet in 1950.", id="last name"),
    pytest.param(
        "Ada Novak did not discover the comet.", "Ada Novak did not discover the comet.", id="both denied"
    ),
    pytest.param(
        "Ada Novak worked in Vienna.",
        "Ada Novak not only worked in Vienna but also taught in Paris.",
        id="not only",
    ),
    pytest.param(
        "Ada Novak founded the Orlo Institute.",
        "She founded the Orlo Institute in 1968.",
        id="pronoun by title",
    ),
]

REFUTED = [
    pytest.param("Ada Novak won the prize.", "Bolt, but not Ada Novak, won the prize.", id="but not"),
    pytest.param(
        "The stone bridge dates from 1749.",
        "The stone bridge, with its seven arches, dates from 1751.",
        id="dates from",
    ),
    pytest.param(
        "Ada Novak has been mayor since 2019.", "Ada Novak has been mayor since 2021.", id="another beginning"
    ),
    pytest.param(
        "Karl Reed wrote Cold Harbour.", "Cold Harbour was written by Vera Lind.", id="another author"
    ),
    pytest.param(
        "Nils Holm died in 1931.",
        "Nils Holm (4 May 1931 – 3 June 1999) was a painter.",
        id="birth is not death",
    ),
    pytest.param("Nils Holm was born in 1932.", "Nils Holm was born on 4 May 1931.", id="another year"),
    pytest.param("The bridge weighs 5 tonnes.", "The bridge weighs 3,500 kg.", id="another number"),
    pytest.param("Ada Novak discovered the comet.", "Ada Novak did not discover the comet.", id="denied"),
    pytest.param("Ada Novak did not discover the comet.", "Ada Novak discovered the comet.", id="not denied"),
    pytest.param(
        "Ada Novak was a junior partner.", "Ada Novak was a senior partner.", id="junior and senior"
    ),
    pytest.param(
        "Vera Lind was the last director of the museum.",
        "Vera Lind was the first director of the museum.",
        id="first and last",
    ),
    pytest.param("Cold Harbour is a novel.", "Cold Harbour is a film by Vera Lind.", id="disjoint kinds"),
    pytest.param(
        "Ada Novak is a German botanist.", "Ada Novak is a Polish botanist.", id="another nationality"
    ),
    pytest.param(
        "Ada Novak is the mother of Karl Reed.", "Karl Reed is the mother of Ada Novak.", id="roles exchanged"
    ),
    pytest.param(
        "Orlo Mills sold the brand to Bolt Foods.",
        "Bolt Foods sold the brand to Orlo Mills.",
        id="seller and buyer",
    ),
    pytest.param(
        "The drug increases blood pressure.", "The drug decreases blood pressure.", id="opposite verbs"
    ),
    pytest.param("Ada Novak is only a chemist.", "Ada Novak is a botanist, chemist and poet.", id="only"),
]

OPEN = [
    pytest.param(
        "Temperature explained half of the variance.",
        "Salinity explained half of the variance, whereas temperature had no effect.",
        id="it is the subject of another verb",
    ),
    pytest.param(
        "All mills in Austria closed in 1950.",
        "All mills in Graz, Austria closed in 1950.",
        id="all of a wider place",
    ),
    pytest.param(
        "Ada Novak did not study in Austria.",
        "Graz is a city in Austria. Ada Novak did not study in Graz.",
        id="denied of a narrower place",
    ),
    pytest.param(
        "Cold Harbour is a film.",
        "Vera Lind made a film and a play, respectively Red Sand and Cold Harbour.",
        id="respectively",
    ),
    pytest.param(
        "Cold Harbour is a film directed by Vera Lind.",
        "Cold Harbour is a film. Vera Lind directed a film.",
        id="another film",
    ),
    pytest.param(
        "The painter Karl Reed visited the museum.",
        "Ada Novak visited the museum. She married the painter Karl Reed.",
        id="one clause met and another not",
    ),
    pytest.param(
        "Ada Novak was born in Paris.",
        "Ada Novak studied at the University of Paris.",
        id="a name within a name",
    ),
    pytest.param("Ada Novak practised law.", "Ada Novak studied law.", id="studied is not practised"),
    pytest.param(
        "All bridges in Norway were designed by Ada Novak.",
        "Ada Novak designed two bridges in Norway.",
        id="some counted, not all",
    ),
    pytest.param(
        "Orlo Mills employs 30 engineers.", "Orlo Mills employs 30 people.", id="another noun counted"
    ),
    pytest.param(
        "Ada Novak is president of Orlo Mills.",
        "Ada Novak is vice president of Orlo Mills.",
        id="vice president",
    ),
    pytest.param(
        "Ada Novak won the Rennick Medal.", "Ada Novak was nominated for the Rennick Medal.", id="nominated"
    ),
    pytest.param(
        "The street was named after Ada Novak.", "The street may be named after Ada Novak.", id="may"
    ),
    pytest.param("Bolt Foods bought Orlo Mills.", "Bolt Foods plans to buy Orlo Mills.", id="planned"),
    pytest.param("All members voted for the plan.", "Some members voted for the plan.", id="all and some"),
    pytest.param(
        "Ada Novak was the first woman to fly over the pole.", "Ada Novak flew over the pole.", id="first"
    ),
    pytest.param(
        "Only Ada Novak signed the letter.",
        "Ada Novak signed the letter.",
        id="only without a word on others",
    ),
    pytest.param("Ada Nowak discovered the comet.", "Ada Novak discovered the comet.", id="similar name"),
    pytest.param(
        "Ada Novak discovered the comet.", "The text speaks of rivers and of towns.", id="another subject"
    ),
    pytest.param(
        "Ada Novak was the only child of Vera Novak.", "Ada Novak was a child of Vera Novak.", id="only child"
    ),
    pytest.param("Vienna lies on the Mur.", "Graz is a city. It lies on the Mur.", id="it is another"),
    pytest.param("Ada Novak died in 1950.", "Ada Novak was born in 1950.", id="born is not died"),
    pytest.param(
        "Nils Holm won the prize in 1931.",
        "Nils Holm (1931 – 1999) won the prize.",
        id="years of life are no date",
    ),
    pytest.param("The mill burned down.", "If the mill burned down, the bank would pay.", id="if"),
    pytest.param("The drug cures the flu.", "The drug was said to cure the flu.", id="said to"),
    pytest.param(
        "The mill will burn down by 2060.",
        "If the river rises, the mill will burn down by 2060.",
        id="hangs on if",
    ),
    pytest.param(
        "Karl Reed founded Orlo Mills.", "Ada Novak founded Orlo Mills with Karl Reed.", id="founded together"
    ),
    pytest.param("Ada Novak is a painter.", "Ada Novak's brother Karl is a painter.", id="another's brother"),
    pytest.param(
        "Karl Reed wrote to Vera Lind.", "Karl Reed wrote about Vera Lind.", id="another preposition"
    ),
    pytest.param(
        "The Orlo Institute was founded in Graz.",
        "The Orlo Institute was founded in 1968. It moved to Graz in 1970.",
        id="place of another event",
    ),
]


@pytest.mark.parametrize(("claim", "text"), SUPPORTED)
def test_what_the_text_says_is_supported(claim: str, text: str) -> None:
    found = verdict(claim, text, "Ada Novak" if text.startswith("She") else "")
    assert found.label == "SUPPORTS", found
    assert all(element.relation == "entailed" and element.evidence for element in found.elements)


@pytest.mark.parametrize(("claim", "text"), REFUTED)
def test_what_the_text_excludes_is_refuted(claim: str, text: str) -> None:
    found = verdict(claim, text)
    assert found.label == "REFUTES", found
    assert any(element.relation == "contradicted" for element in found.elements)


@pytest.mark.parametrize(("claim", "text"), OPEN)
def test_what_the_text_leaves_open_is_not_decided(claim: str, text: str) -> None:
    found = verdict(claim, text)
    assert found.label == "NOT ENOUGH INFO", found
    assert found.missing.endswith(".")


def test_what_is_missing_is_told_without_empty_words_and_parts_of_parts() -> None:
    text = "The D-90 is the only one with a stainless-steel housing."
    assert verdict("The D-45 has a stainless-steel housing.", text).missing == (
        "The closest sentence speaks of “a stainless-steel housing”, but does not say “D-45” of it."
    )


def test_every_element_quotes_claim_and_evidence_exactly() -> None:
    claim, text = "Vera Lind wrote Cold Harbour in 1931.", "Cold Harbour was written by Vera Lind in 1931."
    found = verdict(claim, text)
    for element in found.elements:
        assert claim[element.start : element.end] == element.text
        assert element.evidence is not None
        assert text[element.evidence.start : element.evidence.end] == element.evidence.text
    assert [text[place.start : place.end] for place in found.deciding] == [text]


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("Photosynthesis", "not a sentence"),
        ("1234 5678", "not a sentence"),
        ("Who discovered the comet?", "question"),
        ("Der Komet wurde von der Astronomin in den Alpen entdeckt und ist nicht klein.", "not in English"),
        ("Комета была открыта в горах.", "not in English"),
        ("I think it is a lovely town.", "thinks"),
        ("The comet is large. " * 500, "longer than"),
    ],
)
def test_what_is_no_claim_gets_a_clear_answer(claim: str, words: str) -> None:
    found = verdict(claim, "Ada Novak discovered the comet.")
    assert found.label == "NOT ENOUGH INFO"
    assert words in found.missing
    assert found.notes == ("not a claim",)


@pytest.mark.slow
def test_time_grows_no_faster_than_the_claim() -> None:
    text, unit = "Ada Novak discovered the comet in 1950.", "The sun is hot. "
    verdict(unit, text)

    def seconds(sentences: int) -> float:
        started = time.perf_counter()
        verdict(unit * sentences, text)
        return time.perf_counter() - started

    short, long = min(seconds(60) for _ in range(3)), min(seconds(240) for _ in range(3))
    assert long < 4 * 4 * short


def test_no_evidence_decides_nothing() -> None:
    assert judge("Ada Novak discovered the comet.", [], PARSER).label == "NOT ENOUGH INFO"


DATED = "Ada Novak discovered the comet in 1950."


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Ada Novak discovered the comet, not in 1950.", "REFUTES"),
        ("Ada Novak discovered the comet not in 1950.", "REFUTES"),
        ("Ada Novak discovered the comet not only in 1950.", "NOT ENOUGH INFO"),
        ("Ada Novak did not discover the comet in 1950.", "REFUTES"),
    ],
)
def test_a_denied_phrase_is_never_taken_for_said(claim: str, label: str) -> None:
    assert verdict(claim, DATED).label == label


@pytest.mark.parametrize(
    ("claim", "label"),
    [("Ada Novak succeeds Karl Reed.", "SUPPORTS"), ("Karl Reed succeeds Ada Novak.", "REFUTES")],
)
def test_a_title_that_names_nobody_stands_for_no_pronoun(claim: str, label: str) -> None:
    text = "Bexley Foods has appointed Ada Novak as its director. She succeeds Karl Reed, who retires."
    found = judge(claim, [EvidenceText("doc", text, "press.txt")], BuiltInParser())
    assert found.label == label


def test_whom_somebody_worked_with_is_not_the_next_he() -> None:
    text = "Karl Reed was a painter. He shared a house with Ben Lind. In 1923 he painted the first mural of the hall."
    found = judge(
        "Ben Lind painted the first mural of the hall.",
        [EvidenceText("doc", text, "Karl Reed")],
        BuiltInParser(),
    )
    assert found.label != "SUPPORTS"


def test_he_is_the_one_named_last_by_his_last_name() -> None:
    text = (
        "Its keeper, Donald Frew, drowned. After Frew's death his brother-in-law, Hector Munro, took over. Munro kept "
        "it for nineteen years. He wrote a diary, which Elspeth Lang published."
    )
    assert verdict("Hector Munro wrote a diary.", text, "The Lighthouse at Skerrow Point").label == "SUPPORTS"
    assert verdict("Donald Frew wrote a diary.", text, "The Lighthouse at Skerrow Point").label != "SUPPORTS"


@pytest.mark.parametrize(
    "claim",
    [
        "Ada Novak, who left",
        "Ada Novak won the race and works in Graz",
        "The bell, which fell, cracked, and the sexton, who left, wrote",
        "The sexton left, and, who left",
    ],
)
def test_a_claim_is_taken_apart_into_shorter_ones(claim: str) -> None:
    """One that was taken apart into itself was judged without end."""
    parsed = PARSER.parse(claim, [(0, len(claim))])
    assert all(len(clause.text) < len(claim) for clause in clauses_of(parsed, claim))
