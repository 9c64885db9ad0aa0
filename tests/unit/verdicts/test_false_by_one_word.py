"""Claims that are false by one word are not supported, and true ones are not refuted."""

from __future__ import annotations

import pytest

from provgraph.reading.parser import BuiltInParser
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.judging import Judge

JUDGE = Judge(BuiltInParser())
BOARD = "The board, chaired by Ingrid Aas since 2017, approved the budget."
FIELD = "The council voted by six to three to buy the field behind the school from the Orme estate."
CLUBS = "The request of the Rowing Club was refused, but the Chess Club was given £300."
PAINT = "In 1988 the bridge was painted green; before that it had been grey."
BRANDT = (
    "Elsa Brandt was a botanist. She was the daughter of the pharmacist Niels Brandt. "
    "After school she worked for two years as a teacher. Brandt was awarded the Linnaeus Medal in 1920."
)
PUMPS = (
    "Halden Pumps makes pumps in Moss. Revenue rose by 12 per cent. In May the company bought Lund Valves."
)
CLIMB = (
    "Mount Sorn was first climbed by the British priest Edward Lyle and his guide Hans Kofler. "
    "The south face was not climbed until 1934. According to a legend, a giant sleeps under the summit. "
    "The mayor wants a cable car, but neither the club nor the reserve supports the plan."
)
DAHL = "Iversen was replaced by Anna Dahl, the first woman to lead the institute since Lind."
FIRE = (
    "A fire in 2011 destroyed the library but not the collection of shells. The new building opened in 2015."
)
REEF = "In 1983 Eva Holt, then a student, discovered a coral reef off Hamna; the reef is now protected."
CURATOR = (
    "Elsa Brandt was a botanist. From 1915 until her retirement in 1936 she was curator of the herbarium. "
    "Her colleague Otto Holm accused her of copying. She died in Odense. A street in Aarhus is named after her."
)
SHIP = "The research ship Tern, launched in 1972 and sold to a Chilean firm in 1999, made 41 voyages."
HALL = (
    "Its 64 musicians, 30 of whom are women, play abroad. Peter Lang left because the board rejected his plan for a "
    "choir. The hall burned in 1988; it was restored by the architect Lena Vos and reopened on Friday, 3 March 1991."
)
MOST = "Most of them were offered jobs in Moss."
FERRY = (
    "The ferry Solveig, which had been built in 1998 in Tromvik and rebuilt in 2012, ran aground on the reef."
)
PLEA = "The firm, Sallow Lifting, of Thornby, had pleaded guilty in January to failing to have its equipment examined."
MONITORS = (
    "Monitors are tested by the estates department on the first Monday of each month, and are calibrated once a year "
    "by the manufacturer."
)
BOARD_LINES = "We thank all.\n\nIsolde Renn, chief executive\nAmbrose Thackly, chairman of the board"
FLOWN = "Two of the injured, a woman from Stennick and a deckhand, were flown by helicopter to Morley General Hospital."
OPERAS = (
    "Dario Pell was a composer. Besides more than sixty songs he wrote three symphonies and a single opera."
)
MOVED = "The next meeting will be held in the town hall, since the floor of the library is being refinished."
DIVIDEND = "Halden did not pay a dividend for 2020, but it paid a dividend for 2021."


def label(claim: str, text: str) -> str:
    return JUDGE.judge(claim, [EvidenceText("doc", text)]).label


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("All of the injured were flown to Morley General Hospital.", FLOWN),
        ("The next meeting will be held in the library.", MOVED),
        ("Dario Pell wrote several operas.", OPERAS),
        ("Ingrid Aas chairs the budget.", BOARD),
        ("The ferry was built in 2012.", FERRY),
        ("The ferry was rebuilt in 1998.", FERRY),
        ("Sallow Lifting pleaded not guilty.", PLEA),
        ("Monitors are calibrated once a year by the estates department.", MONITORS),
        ("Ambrose Thackly is the chief executive.", BOARD_LINES),
        ("The council voted to sell the field behind the school.", FIELD),
        ("The council voted by six to three against buying the field.", FIELD),
        ("The Rowing Club was given £300.", CLUBS),
        ("The bridge was painted grey in 1988.", PAINT),
        ("Elsa Brandt worked for two years as a painter.", BRANDT),
        ("All of them were offered jobs in Moss.", MOST),
        ("Hans Kofler was a British priest.", CLIMB),
        ("The south face was not climbed in 1934.", CLIMB),
        ("A giant sleeps under the summit.", CLIMB),
        ("The club supports the plan.", CLIMB),
        ("Anna Dahl was the first woman to lead the institute.", DAHL),
        ("A fire in 2011 destroyed the new building.", FIRE),
        ("A fire in 2011 destroyed the collection of shells.", FIRE),
        ("Eva Holt protected the reef.", REEF),
        ("Elsa Brandt was curator of the herbarium from 1915 to 1944.", CURATOR),
        ("The Tern was launched in 1999.", SHIP),
        ("Lena Vos reopened on Friday, 3 March 1991.", HALL),
        ("64 of the musicians are women.", HALL),
        ("The board rejected the choir's plan.", HALL),
        ("Niels Brandt received the Linnaeus Medal in 1920.", BRANDT),
    ],
)
def test_false_by_one_word_is_not_supported(claim: str, text: str) -> None:
    assert label(claim, text) != "SUPPORTS"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The ferry was built in 1998.", FERRY),
        ("The ferry was rebuilt in 2012.", FERRY),
        ("Sallow Lifting pleaded guilty.", PLEA),
        ("Monitors are calibrated once a year by the manufacturer.", MONITORS),
        ("Isolde Renn is the chief executive.", BOARD_LINES),
        ("Ingrid Aas chairs the board.", BOARD),
        ("The council voted to buy the field behind the school.", FIELD),
        ("The bridge was painted green in 1988.", PAINT),
        ("Elsa Brandt received the Linnaeus Medal in 1920.", BRANDT),
        ("Edward Lyle was a British priest.", CLIMB),
        ("The south face was climbed in 1934.", CLIMB),
        ("The club does not support the plan.", CLIMB),
        ("Anna Dahl was the first woman to lead the institute since Lind.", DAHL),
        ("A fire in 2011 destroyed the library.", FIRE),
        ("The fire did not destroy the collection of shells.", FIRE),
        ("Eva Holt discovered a coral reef in 1983.", REEF),
        ("Elsa Brandt was curator of the herbarium from 1915 to 1936.", CURATOR),
        ("A street in Aarhus is named after Elsa Brandt.", CURATOR),
        ("The Tern was launched in 1972.", SHIP),
        ("The Tern made 41 voyages.", SHIP),
        ("The hall burned in 1988.", HALL),
        ("The board rejected the plan for a choir.", HALL),
        ("Halden Pumps acquired Lund Valves.", PUMPS),
        ("Some of them were offered jobs in Moss.", MOST),
    ],
)
def test_its_true_sister_is_supported(claim: str, text: str) -> None:
    assert label(claim, text) == "SUPPORTS"


def test_what_is_denied_of_one_year_is_not_denied_of_another() -> None:
    assert label("Halden paid a dividend for 2021.", DIVIDEND) == "SUPPORTS"
    assert label("Halden paid a dividend of 3 kroner for 2021.", DIVIDEND) == "NOT ENOUGH INFO"


def test_another_place_or_death_does_not_refute_where_somebody_lived() -> None:
    text = "Elsa Brandt moved to Copenhagen in 1893. She died in Odense."
    assert label("Elsa Brandt lived in Copenhagen.", text) == "NOT ENOUGH INFO"


TELESCOPES = (
    "The first telescope, a refractor with a lens of 40 centimetres, was built by Stolle. "
    "A second telescope, a reflector of 1.8 metres, was put up in 1964."
)
FALK = (
    "Greta Falk was an astronomer. She was born as the youngest of five children of the schoolmaster Ole Falk and his "
    "wife Ingrid Kallin, a sister of the brewer Anders Kallin."
)


def test_what_the_second_is_is_not_said_of_the_first() -> None:
    assert (
        JUDGE.judge("The first telescope was a reflector.", [EvidenceText("doc", TELESCOPES)]).label
        != "SUPPORTS"
    )


def test_a_wife_may_be_a_mother() -> None:
    evidence = [EvidenceText("doc", FALK, "Greta Falk")]
    assert JUDGE.judge("Ingrid Kallin was the mother of Greta Falk.", evidence).label != "REFUTES"
    assert JUDGE.judge("Ingrid Kallin was the sister of Ole Falk.", evidence).label != "SUPPORTS"


HARROW = (
    "Tobias Harrow was a shipbuilder. He was the third of six children of the carpenter Jens Harrow. The couple had "
    "two sons, Erik and Nils. Erik became a judge; Nils drowned in 1931."
)


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Tobias Harrow was the third of six children.", True),
        ("Tobias Harrow was the third of five children.", False),
        ("Tobias Harrow was the second of six children.", False),
        ("Nils drowned in 1931.", True),
        ("Erik drowned in 1931.", False),
    ],
)
def test_which_of_how_many_and_which_of_two(claim: str, supported: bool) -> None:
    label = JUDGE.judge(claim, [EvidenceText("doc", HARROW, "Tobias Harrow")]).label
    assert (label == "SUPPORTS") is supported


COMPANY = (
    "Aldera was founded by the brothers Emil and Jonas Rieder. After Emil's death in 1949, his daughter Klara Rieder "
    "became director. Under her, Aldera opened factories in Turin and Leeds; the latter was closed in 1982."
)
COUPLE = (
    "Adela Brenner was a botanist. She was born in Graubach. In 1884 she married Theodor Wahl. From 1890 to 1902 the "
    "couple lived in Dorpat. There she wrote her main work, The Mosses of the North."
)
COURT = (
    "The Court of Appeal dismissed the appeal of Harrow Timber Ltd. The company had been sued by its former forester, "
    "Ines Quarles. Her claim for damages was rejected because it had been filed two years too late. A clerk named Vera "
    "Stahl contradicted the director. The company was fined 5,000 crowns and had to pay 36,500 crowns in wages."
)
BIRD = (
    "The dormer feeds mainly on beetles and spiders and rarely on seeds. A second reserve, at Oster, is to be opened "
    "in 2030. The population declined from 1970 to 2015."
)
TRIAL = "Two patients in the placebo group died, neither of them from heart disease."
FERRY = "The ferry runs twice a day in summer but only on Sundays in winter. Its pier is going to be enlarged in 2027."
TOWER = "Entry to the church is free, but climbing the tower costs five euros. It lies on the southern coast of Marl."
SCREWS = "Pellico had replaced steel screws with plastic ones."
PAINTED = "In 1987 the council painted it green, although most residents had voted for red."
SAFETY = "The fault was found by an inspector of the Safety Bureau, Karen Oake, during a test."


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        pytest.param("The factory in Turin was closed in 1982.", COMPANY, id="the latter"),
        pytest.param(
            "Theodor Wahl wrote The Mosses of the North.", COUPLE, id="she is no Theodor and no couple"
        ),
        pytest.param("The dormer feeds mainly on seeds.", BIRD, id="an adverb of its own"),
        pytest.param("The reserve at Oster was opened.", BIRD, id="is to be"),
        pytest.param("The pier was enlarged.", FERRY, id="is going to be"),
        pytest.param("The ferry runs twice a day in winter.", FERRY, id="seasons share out"),
        pytest.param("Climbing the tower is free.", TOWER, id="a clause as subject"),
        pytest.param("Pellico replaced plastic screws with steel ones.", SCREWS, id="modifiers exchanged"),
        pytest.param("Most residents had voted for green.", PAINTED, id="colours as nouns"),
        pytest.param("Two patients who took lomaxifen died.", TRIAL, id="of whom it is told"),
    ],
)
def test_what_is_said_of_the_other_of_two_is_not_supported(claim: str, text: str) -> None:
    assert JUDGE.judge(claim, [EvidenceText("doc", text)]).label != "SUPPORTS"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        pytest.param("Emil Rieder was the father of Klara Rieder.", COMPANY, id="a brother may be a father"),
        pytest.param("Adela Brenner lived in Dorpat in 1895.", COUPLE, id="a year within a span"),
        pytest.param(
            "Harrow Timber had to pay a fine of 5,000 crowns.", COURT, id="an amount of something else"
        ),
        pytest.param("The population declined.", BIRD, id="what declines is not declined"),
        pytest.param("Two patients in the placebo group died.", TRIAL, id="neither of them of"),
    ],
)
def test_what_excludes_nothing_does_not_refute(claim: str, text: str) -> None:
    assert JUDGE.judge(claim, [EvidenceText("doc", text)]).label != "REFUTES"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        pytest.param("Klara Rieder was Emil Rieder's daughter.", COMPANY, id="brothers with one surname"),
        pytest.param("Ines Quarles sued Harrow Timber.", COURT, id="the company is the firm"),
        pytest.param("Vera Stahl contradicted the director.", COURT, id="a clerk named so"),
        pytest.param(
            "Karen Oake works for the Safety Bureau.", SAFETY, id="who is its inspector works for it"
        ),
    ],
)
def test_what_is_said_in_other_words_or_by_other_names_is_supported(claim: str, text: str) -> None:
    assert JUDGE.judge(claim, [EvidenceText("doc", text)]).label == "SUPPORTS"


def test_another_in_a_role_that_several_may_have_refutes_nothing() -> None:
    text = "Paolo Sette arrived from Marston Athletic for a fee of 120,000 pounds."
    judgement = JUDGE.judge("Craig Holm arrived from Marston Athletic.", [EvidenceText("doc", text)])
    assert judgement.label == "NOT ENOUGH INFO"


@pytest.mark.parametrize("title", ["", "The Harrow Trust"])
def test_he_behind_an_office_is_who_holds_it(title: str) -> None:
    text = "The director of the trust is Tom Falk. He succeeded Anna Lind in March 2017."
    assert JUDGE.judge("Tom Falk succeeded Anna Lind.", [EvidenceText("a", text, title)]).label == "SUPPORTS"
    assert JUDGE.judge("Anna Lind succeeded Tom Falk.", [EvidenceText("a", text, title)]).label != "SUPPORTS"


def test_a_surname_that_is_a_title_is_no_part_to_leave_out() -> None:
    text = "Mark Robert Wahl (born 5 June 1971) is an American actor."
    assert JUDGE.judge("Mark King is American.", [EvidenceText("a", text, "Mark Wahl")]).label != "SUPPORTS"


def test_one_of_somebodys_parents_is_not_he() -> None:
    text = "Dorran Pike (born 7 August 1961) is an English singer."
    assert label("One of Dorran Pike's parents was Dutch.", text) == "NOT ENOUGH INFO"
    assert label("Dorran Pike was Dutch.", text) == "REFUTES"


def test_what_is_paid_an_hour_is_not_paid_a_day() -> None:
    text = "Emergency visits are charged separately at £95 an hour."
    assert label("Emergency visits are charged at £95 an hour.", text) == "SUPPORTS"
    assert label("Emergency visits are charged at £95 a day.", text) == "REFUTES"


def test_no_place_is_the_first_woman() -> None:
    text = (
        "In 1946 she was appointed to a chair at Tannberg, the first woman in its faculty. Five years later she "
        "founded the Institute of Soil Mechanics, which she directed until 1969."
    )
    claim = "Ilse Marre directed the Institute of Soil Mechanics until 1969."
    assert JUDGE.judge(claim, [EvidenceText("a", text, "Ilse Marre: a life")]).label != "REFUTES"


def test_only_is_said_of_what_it_stands_before() -> None:
    text = (
        "The recall covers two models: the K12, a kettle sold in red and cream, and the K14, a kettle sold only in "
        "brushed steel."
    )
    assert label("The K14 kettle was sold only in red and cream.", text) != "SUPPORTS"


def test_what_something_has_another_thing_instead_of_it_has_not() -> None:
    text = "Young birds resemble the female but have yellow instead of grey legs until their first winter."
    assert label("Young birds have grey legs until their first winter.", text) != "SUPPORTS"


def test_of_two_who_do_a_thing_the_one_is_not_the_other() -> None:
    text = "Questions are dealt with by the export coordinator, Piotr Wasilewski, and by Haruka Endo in Rotterdam."
    assert label("The export coordinator is Piotr Wasilewski.", text) == "SUPPORTS"
    assert label("The export coordinator is Haruka Endo.", text) != "SUPPORTS"


def test_what_another_clause_says_somebody_made_nobody_else_is_responsible_for() -> None:
    text = (
        "Kaarel Tamm was responsible for the statistics, Abena Ofori designed the exercise programme, and Dr Millaqueo "
        "headed the fourth site."
    )
    assert label("Kaarel Tamm was responsible for the statistics.", text) == "SUPPORTS"
    assert label("Kaarel Tamm was responsible for the exercise programme.", text) != "SUPPORTS"


def test_what_is_denied_of_one_of_two_is_not_so_of_it() -> None:
    text = (
        "Fish and chicken bones may be put into the Duo but not into the Compact, whose blades are lighter."
    )
    assert label("Chicken bones may be put into the Duo.", text) == "SUPPORTS"
    assert label("Chicken bones may be put into the Compact.", text) == "REFUTES"
    assert label("Velm is twinned with Orsa.", "Velm is twinned with Sarn, not with Orsa.") == "REFUTES"


def test_what_was_in_fact_done_was_done() -> None:
    text = (
        "Ilmarca is a town. The painter Teo Ramos, often claimed by the town, was in fact born in Chacraloma and moved "
        "to Ilmarca."
    )
    assert label("Teo Ramos was born in Chacraloma.", text) == "SUPPORTS"
    assert label("The painter Teo Ramos was born in Ilmarca.", text) == "REFUTES"
