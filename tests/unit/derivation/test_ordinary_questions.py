"""Ordinary questions to ordinary documents: what their sentences say, and what only words near by suggest."""

from __future__ import annotations

import pytest

from provgraph.derivation.evidence import support_at
from provgraph.derivation.result import Derived, Step
from provgraph.derivation.things_asked import is_other_part
from provgraph.derivation.times_asked import is_beside_another
from provgraph.language.asked_kinds import expressions
from provgraph.reading.gapped_clauses import gapped_clause
from provgraph.reading.propositions import Span
from unit.derivation.shelf import PARSER, passage, short

COUNCIL = {
    "Minutes of the Velm town council": "The director of the library since 2016 is Amir Sethi. The library was a gift "
    "of the brewer Tom Reed. Its roof was renewed by Hall & Sons at a price of 38,500 pounds. The next meeting will be "
    "held on 11 April in the Guildhall. Repairs of the bridge are expected to cost 214,000 pounds. Work on the car "
    "park begins in September. The council heard a report by the borough engineer, Derek Vaughan. The judge Ada Finch "
    "has been asked to lead an inquiry."
}
LEASE = {
    "Lease of a workshop": "The rent is 1,350 pounds a month. Water is included in the rent, electricity and gas are "
    "not. On signing, the tenant pays a deposit of three months' rent. It is held by Ardley Bank and is paid back "
    "after the lease. Joan Harbin runs the bakery, Eric Lund the mill. Varnish should not be used, since it attacks "
    "the floor. The heater weighs 12 kilograms. It turns itself off after nine minutes."
}
FIRM = {
    "Harbin Foods": "Harbin Foods employs 1,200 people, three hundred of them in Ashby and 210 in Orvik. The firm "
    "bought the Dorset dairy from Lowell Brothers in 1974 for 3 million pounds and sold it to Marlow plc in 1998 for "
    "11 million. In 2001 Clara Boyd succeeded Peter Harbin as chief executive. It paid a fine of 2 million pounds in "
    "2014 because it had polluted the river Tone. The head office moved from Malvern to Bristol in 2003."
}
SCALES = {
    "Pell Instruments": "The best-selling product is the Petrel, a portable gas sensor weighing 400 grams. Rare faults "
    "are a blank display and a weak battery. A kitchen scale called the Wren was withdrawn because its display failed "
    "in the cold. The Lark is not a scale."
}
CLUB = {
    "The Orvik chess club": "A copy of the painting by Ada Holm hangs in its hall. The club employs three people in "
    "Orvik and two in Tysen. The landlord pays for heating, the club for electricity."
}

PORT = {
    "The port of Lunden": "The harbour master is Captain Ilse Brandt, who succeeded Otto Rehn in March 2019. The "
    "architect Emil Staub was the son of the watchmaker Jakob Staub and his wife Verena. The tenant may sublet a "
    "single shed, but not the whole quay. In 1907 Emil Staub married the violinist Clara Holm."
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What was the name of Ilse Brandt's husband?", ""),
        ("Who was Jakob Staub's wife?", "Verena"),
        ("Am I allowed to sublet the whole quay?", "no"),
    ],
)
async def test_a_relative_or_a_permission_is_only_told_by_who_speaks_of_it(
    question: str, answer: str
) -> None:
    assert await short(question, PORT) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When did Amir Sethi die?", ""),
        ("Who is the borough engineer?", "Derek Vaughan"),
        ("Where will the next meeting take place?", "Guildhall"),
        ("How much will the repairs of the bridge cost?", "214,000 pounds"),
        ("When does work on the car park start?", "September"),
        ("Who will lead the inquiry?", "Ada Finch"),
    ],
)
async def test_questions_to_minutes(question: str, answer: str) -> None:
    assert await short(question, COUNCIL) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How high is the rent?", "1,350 pounds"),
        ("Who holds the deposit?", "Ardley Bank"),
        ("Is electricity included in the rent?", "no"),
        ("May varnish be used?", "no"),
        ("Who runs the mill?", "Eric Lund"),
        ("How heavy is the heater?", "12 kilograms"),
        ("When does the heater turn itself off?", "after nine minutes"),
    ],
)
async def test_questions_to_a_lease(question: str, answer: str) -> None:
    assert await short(question, LEASE) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How high was the fine?", "2 million pounds"),
        ("When did Clara Boyd die?", ""),
    ],
)
async def test_questions_to_a_profile(question: str, answer: str) -> None:
    assert await short(question, FIRM) == answer


async def test_what_something_was_changed_to_is_not_what_was_before() -> None:
    assert await short("Where was the head office before 2003?", FIRM) in ("", "Malvern")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where does the painting by Ada Holm hang?", ""),
        ("How many people does the club employ in Tysen?", "two"),
        ("How many people does the club employ in Orvik?", "three"),
        ("Who pays for electricity?", "club"),
        ("Who pays for heating?", "landlord"),
    ],
)
async def test_what_is_said_of_another_is_no_answer(question: str, answer: str) -> None:
    assert await short(question, CLUB) == answer


ISLAND = {
    "The lighthouse at Skerrow": "The lighthouse was designed by Agnes Mackay and built in 1887. Dogs are not admitted "
    "to it but are welcome in the teahouse. Castell Ferries has 15 ships and 1,250 employees; Bluefin Lines has eight "
    "ships.",
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When was the lighthouse built?", "1887"),
        ("When was the teahouse built?", ""),
        ("How many ships does Bluefin Lines have?", "eight"),
    ],
)
async def test_what_is_built_or_counted_is_what_is_asked_about(question: str, answer: str) -> None:
    assert await short(question, ISLAND) == answer


REPORT = {
    "Larkmoor Industries plc": "As of June 30, 2023, we employed approximately 4,310 people. About "
    "38% of our employees are represented by trade unions.",
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many employees does Larkmoor Industries have?", "4,310"),
        ("How many people does Larkmoor Industries employ?", "4,310"),
    ],
)
async def test_a_head_count_is_who_is_employed_and_no_share_of_them(question: str, answer: str) -> None:
    assert await short(question, REPORT) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the Petrel?", "a portable gas sensor weighing 400 grams"),
        ("What are rare faults?", "a blank display and a weak battery"),
        ("What is the Lark?", ""),
        ("Why was the Wren taken off the market?", "its display failed in the cold"),
    ],
)
async def test_what_something_is_and_why(question: str, answer: str) -> None:
    assert await short(question, SCALES) == answer


@pytest.mark.parametrize(
    ("sentence", "clause"),
    [
        ("Ada bought the farm, Eric the mill.", "Eric bought the mill."),
        ("The roof was renewed in 1990 and the tower in 1995.", "The tower was renewed in 1995."),
        ("Dogs are allowed, cats are not.", "Cats are not allowed."),
        ("She visited Paris, the capital of France.", ""),
        ("The ship sailed from Bergen to Hull, a port in England.", ""),
    ],
)
def test_a_clause_without_a_verb_is_said_in_full(sentence: str, clause: str) -> None:
    (parsed,) = PARSER.parse(sentence, [(0, len(sentence))])
    assert gapped_clause(sentence, parsed) == clause


TENANCY = {
    "Lease of Unit 7": "This lease is made between Pemberley Estates Ltd (the Landlord) and Quill Bookbinders LLP, a "
    'partnership in Leeds (the "Tenant"). The guarantor of the Tenant\'s obligations is Miriam Thorne.'
}
NEWT = {
    "The ringed newt": "The ringed newt is a small amphibian of the Corbel hills. It was first described by the "
    "zoologist Ludwig Hartl. A female lays 150 to 200 eggs. Herons and grass snakes eat the adults, and sticklebacks "
    "take the larvae. The larvae hatch after three weeks and feed on water fleas. In the summer of 2022 there were "
    "eleven cases of fungus, in 2023 four. No one was hurt by it."
}
NEWS = {
    "Verdict in the Harwell case": "Leon Cassidy, 47, told the court that he had debts. The fraud was uncovered by an "
    "auditor, Joyce Mensah, who noticed the breakage."
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is the landlord of Unit 7?", "Pemberley Estates Ltd"),
        ("Who is the Tenant?", "Quill Bookbinders LLP"),
        ("Who is the guarantor of the Landlord's obligations?", ""),
    ],
)
async def test_parts_in_a_contract(question: str, answer: str) -> None:
    assert await short(question, TENANCY) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who first described the ringed newt?", "Ludwig Hartl"),
        ("What do the larvae eat?", "water fleas"),
        ("Was anyone hurt?", "no"),
    ],
)
async def test_values_of_the_thing_that_is_asked_about(question: str, answer: str) -> None:
    assert await short(question, NEWT) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How old is Cassidy?", "47"),
        ("Who discovered the fraud?", "Joyce Mensah"),
    ],
)
async def test_ages_amounts_and_other_words(question: str, answer: str) -> None:
    assert await short(question, NEWS) == answer


def test_a_number_belongs_to_the_year_of_its_part_of_the_sentence() -> None:
    text = "In the summer of 2022 there were eleven cases, in 2023 four."
    whole = Span(0, len(text), text)
    assert is_beside_another("2023", text, whole, text.index("eleven"))
    assert not is_beside_another("2023", text, whole, text.index("four"))


async def test_a_thing_is_defined_by_what_is_said_of_it_and_not_of_its_kind_in_another() -> None:
    atoms = {"Atoms": "The half-life of radium-226 is 1,600 years. Radium is an alkaline earth metal."}
    assert await short("What is radium?", atoms) == "an alkaline earth metal"
    assert await short("What is half-life?", atoms) == ""
    assert await short("What is the half-life of radium-226?", atoms) in ("1,600 years", "")


async def test_a_last_name_alone_is_not_said_of_another_who_has_it() -> None:
    line = {
        "The Skarvik line": "The line was opened by Johan Brandt. Brandt died in 1921. His daughter Inger took over. "
        "Inger Brandt founded the school."
    }
    assert await short("When did Inger Brandt die?", line) == ""
    assert await short("When did Johan Brandt die?", line) == "1921"


OF_OTHERS = {
    "The mill": "The mill was built by Josef Marr in 1823. The company shall appoint a site manager within ten days. "
    "The car park has 320 spaces and costs £2.50 an hour. A folding bed stands in each room. About thirty families "
    "live in Weaver Street."
}


@pytest.mark.parametrize(
    ("question", "noun", "words", "is_other"),
    [
        ("Who owns the mill?", "", "Josef Marr", True),
        ("Who built the mill?", "", "Josef Marr", False),
        ("Who will be the site manager?", "", "The company", True),
        ("Who appoints the site manager?", "", "The company", False),
    ],
)
def test_who_does_something_else_has_not_the_part_that_is_asked_for(
    question: str, noun: str, words: str, is_other: bool
) -> None:
    ((title, text),) = OF_OTHERS.items()
    start = text.index(words)
    support = support_at(passage(title, text), Span(start, start + len(words), words))
    found = Derived(words, "entity", (Step("choose", words, "", (support,)),), 0.9)
    assert is_other_part(found, PARSER.parse(question, [(0, len(question))]), noun) == is_other


@pytest.mark.parametrize(
    "question",
    [
        "How much does the folding bed cost?",
        "How many people live in Weaver Street?",
        "How many years was the mill without steam?",
    ],
)
async def test_what_is_told_of_another_thing_is_no_answer(question: str) -> None:
    assert await short(question, OF_OTHERS) == ""


def test_months_and_days_are_no_names_of_people() -> None:
    text = "The council approved the plan in April despite Ada Novak."
    assert [text[slice(*each)] for each in expressions(text, "person")] == ["Ada Novak"]


TRUST = {
    "The Harrow Trust": "The director is Mark Pope, a former banker. The board is made up of seven members, two of "
    "whom are elected by the borrowers. A borrower must be younger than 40. The film about the Trust, written and "
    "directed by Lena Falk, was shown at the Lund festival in 2020."
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who wrote the film about the Trust?", "Lena Falk"),
        ("Who is the treasurer?", ""),
        ("Who is the director?", "Mark Pope"),
    ],
)
async def test_joined_verbs_and_another_office(question: str, answer: str) -> None:
    assert await short(question, TRUST) == answer
