"""What the model-free extractor reads from a sentence, by example: (subject, relation, object)."""

from __future__ import annotations

import pytest

from provgraph.extraction.facts import Entity, Fact, Passage, Value
from provgraph.extraction.model_free import ModelFreeExtractor

EXTRACTOR = ModelFreeExtractor()


def facts(text: str, title: str = "") -> list[Fact]:
    return EXTRACTOR.extract(Passage(text, title))


def triples(text: str, title: str = "") -> set[tuple[str, str, str]]:
    return {(fact.subject.label, fact.relation, fact.object.label) for fact in facts(text, title)}


VERBS = [
    ("Marie Curie discovered polonium.", {("Marie Curie", "discovered", "polonium")}),
    ("Polonium was discovered by Marie Curie.", {("Polonium", "was discovered by", "Marie Curie")}),
    ("Water boils at 100 °C.", {("Water", "boils at", "100 °C")}),
    (
        "Pierre Curie and Marie Curie discovered radium.",
        {("Pierre Curie", "discovered", "radium"), ("Marie Curie", "discovered", "radium")},
    ),
    (
        "Marie Curie discovered polonium and radium.",
        {("Marie Curie", "discovered", "polonium"), ("Marie Curie", "discovered", "radium")},
    ),
    (
        "The Danube flows through Vienna, Budapest and Belgrade.",
        {
            ("Danube", "flows through", "Vienna"),
            ("Danube", "flows through", "Budapest"),
            ("Danube", "flows through", "Belgrade"),
        },
    ),
    (
        "Tesla left Graz and moved to Paris.",
        {("Tesla", "left", "Graz"), ("Tesla", "moved to", "Paris")},
    ),
    (
        "Marie Curie won the Nobel Prize in 1903.",
        {("Marie Curie", "won", "Nobel Prize"), ("Marie Curie", "won Nobel Prize in", "1903")},
    ),
    (
        "In 1903, Marie Curie won the Nobel Prize.",
        {("Marie Curie", "won", "Nobel Prize"), ("Marie Curie", "won Nobel Prize in", "1903")},
    ),
    (
        "From 1970 to 1985, Gideon Rodan taught in Boston.",
        {
            ("Gideon Rodan", "taught in", "Boston"),
            ("Gideon Rodan", "taught in Boston from", "1970"),
            ("Gideon Rodan", "taught in Boston until", "1985"),
        },
    ),
    (
        "Siemens opened a factory in Berlin.",
        {("Siemens", "opened", "factory in Berlin"), ("Siemens", "opened factory in", "Berlin")},
    ),
    ("Judges are referred to as the bench.", {("Judges", "are referred to as", "bench")}),
    ("The pump is similar to a valve.", {("pump", "is similar to", "valve")}),
    (
        "The tanks are used to change the trim and modify the stability.",
        {("tanks", "are used to change", "trim"), ("tanks", "are used to modify", "stability")},
    ),
]

CLAUSES = [
    (
        "Marie Curie, who was born in Warsaw, discovered radium.",
        {("Marie Curie", "was born in", "Warsaw"), ("Marie Curie", "discovered", "radium")},
    ),
    (
        "The engine designed by Rudolf Diesel burns oil.",
        {("engine", "was designed by", "Rudolf Diesel"), ("engine", "burns", "oil")},
    ),
    (
        "Nokia, founded in 1865, makes phones.",
        {("Nokia", "was founded in", "1865"), ("Nokia", "makes", "phones")},
    ),
    (
        "Marie Curie was a physicist who discovered polonium.",
        {("Marie Curie", "was a", "physicist"), ("Marie Curie", "discovered", "polonium")},
    ),
    ("The telescope that Galileo built worked well.", {("Galileo", "built", "telescope")}),
    (
        "Mary read the letter and Tom wrote a poem.",
        {("Mary", "read", "letter"), ("Tom", "wrote", "poem")},
    ),
]

DEFINITIONS = [
    ("The Amazon is a river.", {("Amazon", "is a", "river")}),
    (
        "Aino is a figure in the Kalevala.",
        {("Aino", "is a", "figure in the Kalevala"), ("Aino", "is a figure in", "Kalevala")},
    ),
    ("Paris is the capital of France.", {("Paris", "is", "capital of France")}),
    ("France's capital is Paris.", {("France", "has capital", "Paris")}),
    (
        "Marie Curie, a Polish physicist, discovered radium.",
        {
            ("Marie Curie", "is a", "Polish physicist"),
            ("Marie Curie", "is a", "physicist"),
            ("Marie Curie", "discovered", "radium"),
        },
    ),
    (
        "The physicist Marie Curie discovered radium.",
        {("Marie Curie", "is a", "physicist"), ("Marie Curie", "discovered", "radium")},
    ),
    (
        "The World Health Organization (WHO) fights disease.",
        {
            ("World Health Organization", "also known as", "WHO"),
            ("World Health Organization", "fights", "disease"),
        },
    ),
    (
        "The National Aeronautics and Space Administration (NASA) launched Apollo.",
        {
            ("National Aeronautics and Space Administration", "also known as", "NASA"),
            ("National Aeronautics and Space Administration", "launched", "Apollo"),
        },
    ),
    (
        "Marie Curie (7 November 1867 – 4 July 1934) was a physicist.",
        {
            ("Marie Curie", "was born on", "7 November 1867"),
            ("Marie Curie", "died on", "4 July 1934"),
            ("Marie Curie", "was a", "physicist"),
        },
    ),
]

NOTHING = [
    "What did Marie Curie discover?",
    "If Einstein discovered radium, the world changed.",
    "We built a house.",
    "I like the film.",
    "There is a problem.",
    "This means nothing.",
    "She won the prize.",
    "Neither Bohr nor Heisenberg built the bomb.",
    "RESULTS OF THE STUDY",
    "Berlin ist die Hauptstadt von Deutschland.",
    "El río Amazonas es un río de América del Sur.",
    "서울은 대한민국의 수도이다.",
    "القاهرة هي عاصمة مصر.",
]


@pytest.mark.parametrize(("text", "expected"), VERBS)
def test_a_verb_relates_its_subject_to_its_arguments(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert triples(text) == expected


@pytest.mark.parametrize(("text", "expected"), CLAUSES)
def test_clauses_within_a_sentence_are_told_apart(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert triples(text) == expected


@pytest.mark.parametrize(("text", "expected"), DEFINITIONS)
def test_definitions_and_appositions_say_what_a_thing_is(
    text: str, expected: set[tuple[str, str, str]]
) -> None:
    assert triples(text) == expected


@pytest.mark.parametrize("text", NOTHING)
def test_what_states_no_fact_gives_none(text: str) -> None:
    assert triples(text) == set()


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("Einstein did not discover radium.", "did not discover"),
        ("Einstein didn't discover radium.", "did not discover"),
        ("Einstein never discovered radium.", "never discovered"),
        ("Einstein hardly knew Bohr.", "hardly knew"),
        ("Pluto is no longer a planet.", "is no longer a"),
        ("Pluto is not a planet.", "is not a"),
        ("The drug cannot cure malaria.", "cannot cure"),
    ],
)
def test_negation_stays_in_the_relation(text: str, relation: str) -> None:
    assert {fact.relation for fact in facts(text)} == {relation}


def test_what_may_be_is_less_sure_than_what_is() -> None:
    certain = facts("The drug cures malaria.")[0]
    doubtful = facts("The drug may cure malaria.")[0]
    reported = facts("Bohr said that the drug cures malaria.")[0]
    assert doubtful.confidence < certain.confidence
    assert reported.confidence < certain.confidence


@pytest.mark.parametrize(
    ("text", "title", "expected"),
    [
        ("She was born in Warsaw.", "Marie Curie", ("Marie Curie", "was born in", "Warsaw")),
        ("It flows into the sea.", "River Thames", ("River Thames", "flows into", "sea")),
        ("Curie died in 1934.", "Marie Curie", ("Marie Curie", "died in", "1934")),
        ("Her work changed physics.", "Marie Curie", ("Marie Curie's work", "changed", "physics")),
        (
            "Nokia is a Finnish company. The company makes phones.",
            "",
            ("Nokia", "makes", "phones"),
        ),
        (
            "Marie Curie was a physicist. She discovered radium.",
            "",
            ("Marie Curie", "discovered", "radium"),
        ),
        ("The Danube is a river. It passes Vienna.", "", ("Danube", "passes", "Vienna")),
    ],
)
def test_a_pronoun_with_one_possible_referent_is_resolved(
    text: str, title: str, expected: tuple[str, str, str]
) -> None:
    assert expected in triples(text, title)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Marie Curie met Lise Meitner, a physicist. She discovered radium.", ""),
        ("Robert Hooke wrote to Isaac Newton. He discovered gravity.", ""),
        ("She was born in Warsaw.", "annual-report-2019.pdf"),
        ("It was sold in 1990.", "Marie Curie"),
        ("They moved to Paris.", "Marie Curie"),
    ],
)
def test_a_pronoun_in_doubt_gives_no_fact(text: str, title: str) -> None:
    last = text.rsplit(". ", 1)[-1]
    start = text.index(last)
    assert [fact for fact in facts(text, title) if fact.start == start] == []


@pytest.mark.parametrize(
    ("text", "label", "kind"),
    [
        ("Ada Lovelace was an English mathematician.", "Ada Lovelace", "Person"),
        ("Marie Curie discovered radium.", "Marie Curie", "Person"),
        ("Dr. Watson wrote the story.", "Dr. Watson", "Person"),
        ("Tartu University was founded in 1632.", "Tartu University", "Organization"),
        ("Nokia is a company.", "Nokia", "Organization"),
        ("Hooke was born in Freshwater.", "Freshwater", "Place"),
        ("The Danube is a river.", "Danube", "Place"),
        ("Lolita is a novel.", "Lolita", "Work"),
        ("The Battle of Hastings ended the reign.", "Battle of Hastings", "Event"),
        ("The Danube is a river.", "river", "Concept"),
        ("The pump moves water.", "pump", ""),
    ],
)
def test_an_entity_has_a_type_where_the_words_say_so(text: str, label: str, kind: str) -> None:
    ends = [end for fact in facts(text) for end in (fact.subject, fact.object)]
    assert {end.type for end in ends if isinstance(end, Entity) and end.label == label} == {kind}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Hooke died in 1703.", Value("date", "1703", "1703")),
        ("Curie died on 4 July 1934.", Value("date", "1934-07-04", "4 July 1934")),
        ("Barclays opened in March 1999.", Value("date", "1999-03", "March 1999")),
        ("The budget rose to $ 4.5 million.", Value("quantity", "4500000 USD", "$ 4.5 million")),
        ("The share fell to 4.50 %.", Value("quantity", "4.5 %", "4.50 %")),
        ("The Neckar is 350 kilometres long.", Value("quantity", "350 km", "350 kilometres")),
        ("The number of members is 1,200.", Value("number", "1200", "1,200")),
    ],
)
def test_dates_and_quantities_become_values(text: str, value: Value) -> None:
    assert value in [fact.object for fact in facts(text)]


@pytest.mark.parametrize("name", ["C", "C++", "C#", "Node.js", "AT&T", "O'Brien", "Łódź", "Dvořák", "H2O"])
def test_names_keep_the_signs_that_tell_them_apart(name: str) -> None:
    assert f"{name}" in {fact.object.label for fact in facts(f"The system was named after {name}.")}


def test_verbatim_arguments_are_the_words_of_the_sentence() -> None:
    text = "In 1903, she quickly won the prize with a colleague in Paris."
    found = ModelFreeExtractor(verbatim=True).extract(Passage(text))
    assert [(f.subject.label, f.relation, f.object.label) for f in found] == [
        ("she", "quickly won", "the prize with a colleague in Paris In 1903")
    ]
