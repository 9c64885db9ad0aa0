"""What the default extractor stores of a sentence, by example: (subject, relation, object)."""

from __future__ import annotations

import pytest

from provgraph.extraction.by_reading import PropositionExtractor
from provgraph.extraction.facts import Entity, Passage, Value

EXTRACTOR = PropositionExtractor()
Triples = set[tuple[str, str, str]]


def triples(text: str, title: str = "") -> Triples:
    facts = EXTRACTOR.extract(Passage(text, title))
    return {(fact.subject.label, fact.relation, fact.object.label) for fact in facts}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Marie Curie discovered polonium.", {("polonium", "was discovered by", "Marie Curie")}),
        ("Polonium was discovered by Marie Curie.", {("Polonium", "was discovered by", "Marie Curie")}),
        (
            "Pierre Curie and Marie Curie discovered radium.",
            {
                ("radium", "was discovered by", "Pierre Curie"),
                ("radium", "was discovered by", "Marie Curie"),
            },
        ),
        (
            "The Danube flows through Vienna, Budapest and Belgrade.",
            {("Danube", "flows through", city) for city in ("Vienna", "Budapest", "Belgrade")},
        ),
        (
            "Marie Curie, who discovered radium, was born in Warsaw.",
            {("Marie Curie", "was born in", "Warsaw"), ("radium", "was discovered by", "Marie Curie")},
        ),
        (
            "Nokia, founded in 1865, makes phones.",
            {("Nokia", "was founded in the year", "1865"), ("Nokia", "produces", "phones")},
        ),
        (
            "Ada Larkfield founded Holt Mills in 1902.",
            {
                ("Holt Mills", "was founded by", "Ada Larkfield"),
                ("Holt Mills", "was founded in the year", "1902"),
            },
        ),
        ("France's capital is Paris.", {("Paris", "is the capital of", "France")}),
        ("Paris is the capital of France.", {("Paris", "is the capital of", "France")}),
        (
            "Marie Curie (7 November 1867 – 4 July 1934) was a physicist.",
            {
                ("Marie Curie", "was born on", "7 November 1867"),
                ("Marie Curie", "died on", "4 July 1934"),
                ("Marie Curie", "has occupation", "physicist"),
            },
        ),
        (
            "The World Health Organization (WHO) is based in Geneva.",
            {
                ("World Health Organization", "also known as", "WHO"),
                ("World Health Organization", "has headquarters in", "Geneva"),
            },
        ),
    ],
)
def test_a_sentence_says_the_same_however_it_is_built(text: str, expected: Triples) -> None:
    assert expected <= triples(text)


@pytest.mark.parametrize(
    "text",
    [
        "What did Marie Curie discover?",
        "If Einstein discovered radium, the world changed.",
        "Einstein did not discover radium.",
        "Neither Bohr nor Heisenberg built the bomb.",
        "Pluto is no longer a planet.",
        "The drug may cure malaria.",
        "We built a house.",
        "There is a problem.",
        "She won the prize.",
        "The band recorded songs in Lisbon.",
        "Two tunnels opened in 1987.",
        "The population was 310 in 1990.",
        "RESULTS OF THE STUDY",
        "Berlin ist die Hauptstadt von Deutschland.",
        "서울은 대한민국의 수도이다.",
        "القاهرة هي عاصمة مصر.",
    ],
)
def test_what_is_denied_asked_or_of_nobody_in_particular_is_no_fact(text: str) -> None:
    assert triples(text) == set()


@pytest.mark.parametrize(
    ("text", "title", "expected"),
    [
        ("She was born in Warsaw.", "Marie Curie", ("Marie Curie", "was born in", "Warsaw")),
        ("Nokia is a Finnish company. The company makes phones.", "", ("Nokia", "produces", "phones")),
        (
            "Marie Curie was a physicist. She discovered radium.",
            "",
            ("radium", "was discovered by", "Marie Curie"),
        ),
    ],
)
def test_a_pronoun_and_a_description_are_whom_they_mean(
    text: str, title: str, expected: tuple[str, str, str]
) -> None:
    assert expected in triples(text, title)


@pytest.mark.parametrize(
    ("text", "label", "kind"),
    [
        ("Ada Lovelace was an English mathematician.", "Ada Lovelace", "Person"),
        ("Tartu University was founded in 1632.", "Tartu University", "Organization"),
        ("Hooke was born in Freshwater.", "Freshwater", "Place"),
        ("Lolita is a novel.", "Lolita", "Work"),
        ("The Danube is a river.", "river", "Concept"),
    ],
)
def test_an_entity_has_a_type_where_the_words_say_so(text: str, label: str, kind: str) -> None:
    ends = [end for fact in EXTRACTOR.extract(Passage(text)) for end in (fact.subject, fact.object)]
    assert {end.type for end in ends if isinstance(end, Entity) and end.label == label} == {kind}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Hooke died in 1703.", Value("date", "1703", "1703")),
        ("Curie died on 4 July 1934.", Value("date", "1934-07-04", "4 July 1934")),
        ("The Falcon Bridge cost 12 million euros.", Value("quantity", "12000000 EUR", "12 million euros")),
        ("The Neckar is 350 kilometres long.", Value("quantity", "350 km", "350 kilometres")),
    ],
)
def test_dates_and_quantities_are_values(text: str, value: Value) -> None:
    assert value in [fact.object for fact in EXTRACTOR.extract(Passage(text))]


def test_code_and_references_are_no_prose() -> None:
    text = (
        "Ada Quist discovered radium.\n\n```\nAda Quist was born in Oslo.\n```\n\n"
        "[12] Quist, A.: Ada Quist was born in Antarctica. Journal of Birds, 12(3), 1999.\n\n"
        "## References\n\nAda Quist was born in Norway.\n\n# After\n\nAda Quist was born in Bergen.\n"
    )
    assert triples(text) == {
        ("radium", "was discovered by", "Ada Quist"),
        ("Ada Quist", "was born in", "Bergen"),
    }


def test_the_places_of_an_address_lie_in_each_other() -> None:
    assert triples(
        "The Ackerman House was built in Belleville, Essex County, New Jersey, United States in 1760."
    ) >= {
        ("Belleville", "is located in", "Essex County"),
        ("Essex County", "is located in", "New Jersey"),
        ("New Jersey", "is located in", "United States"),
    }


@pytest.mark.parametrize(
    "text",
    [
        "Ada Novak toured France, Germany, Austria in 1990.",
        "Ada Novak lived in Graz, Vienna, Paris and London.",
        "The club played in Linz, Salzburg, Austria, and Hungary.",
    ],
)
def test_the_places_of_a_list_do_not(text: str) -> None:
    assert not [fact for fact in triples(text) if fact[1] == "is located in"]


def test_a_foreign_name_in_brackets_hides_nothing_of_its_sentence() -> None:
    text = "Red Sand (French: Sable rouge) was directed by Ada Novak."
    assert ("Red Sand", "was directed by", "Ada Novak") in triples(text, "Red Sand")


def test_a_title_before_its_place_is_one_name() -> None:
    text = "Sullivan's Island is a town in Charleston County, South Carolina, United States."
    assert ("Sullivan's Island", "is located in", "Charleston County") in triples(
        text, "Sullivan's Island, South Carolina"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Corus Ltd operates the Harbour Bridge.", ("Harbour Bridge", "is operated by", "Corus Ltd")),
        (
            "The Harbour Festival was organised by Corus Ltd.",
            ("Harbour Festival", "was organized by", "Corus Ltd"),
        ),
        (
            "The film Red Sand was distributed by Astor Pictures.",
            ("Red Sand", "was distributed by", "Astor Pictures"),
        ),
    ],
)
def test_who_operates_organizes_or_distributes(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in triples(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She wrote of the painter Olof Brandt.", ("Olof Brandt", "has occupation", "painter")),
        ("Rosa Delgado is married to Jonas Weber.", ("Rosa Delgado", "is married to", "Jonas Weber")),
        (
            "Lynn Township is one of the nine townships of Hardin County.",
            ("Lynn Township", "is a", "township"),
        ),
        ("Alder University has 9,000 students.", ("Alder University", "has", "9,000 students")),
        (
            "Port Alder is a city in the Canadian province of Nova Scotia.",
            ("Port Alder", "is located in", "Nova Scotia"),
        ),
        (
            "Harlow Properties Ltd is a subsidiary of Harlow Group plc.",
            ("Harlow Properties Ltd", "has parent organisation", "Harlow Group plc"),
        ),
        ("Corus Ltd was bought by Ernst & Young LLP.", ("Corus Ltd", "was acquired by", "Ernst & Young LLP")),
        ("Smoking increases the risk of stroke.", ("Smoking", "increases", "risk of stroke")),
        (
            "Hexagon nuts are made of stainless steel, anodized aluminum alloy, or plated carbon steel.",
            ("Hexagon nuts", "is made of", "stainless steel"),
        ),
        ("Amoxicillin is a penicillin antibiotic.", ("Amoxicillin", "is a", "penicillin antibiotic")),
        ("BERT was developed by Google.", ("BERT", "was developed by", "Google")),
        (
            "LONDON, March 3 (Reuters) - Northgate Foods said it had acquired Solvang Brothers.",
            ("Solvang Brothers", "was acquired by", "Northgate Foods"),
        ),
        (
            "Susan Whitfield is an engineer. Ms. Whitfield was a vice president at Eaton Corporation.",
            ("Susan Whitfield", "works for", "Eaton Corporation"),
        ),
        (
            "Eva Lind was born in Bern. Her brother Erik became a minister. She received the Linnaeus Medal.",
            ("Eva Lind", "received", "Linnaeus Medal"),
        ),
    ],
)
def test_the_ways_to_say_it_that_were_passed_over(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in triples(text)


@pytest.mark.parametrize(
    ("text", "title", "wrong"),
    [
        ("Northgate appointed Daniel Osei as chairman.", "", ("Northgate", "has occupation", "chairman")),
        (
            "Guests are Ann Fraser, who won the Giller Prize in 1999, and the player Mike Dunne.",
            "",
            ("Mike Dunne", "received", "Giller Prize"),
        ),
        (
            "This Lease Agreement is made on 1 June 2021 between Harlow Properties Ltd, a company, and Ann Osgood.",
            "",
            ("Lease Agreement", "is a", "company"),
        ),
        (
            "It had acquired Solvang Brothers.",
            "Northgate acquires Solvang",
            ("Solvang Brothers", "was acquired by", "Northgate acquires Solvang"),
        ),
    ],
)
def test_what_only_stands_nearby_is_no_fact(text: str, title: str, wrong: tuple[str, str, str]) -> None:
    assert wrong not in triples(text, title)


def test_no_end_of_a_fact_is_punctuation() -> None:
    facts = EXTRACTOR.extract(Passage("DocLinker is made of a bi-encoder and a cross-encoder."))
    assert all(any(map(str.isalnum, fact.object.label)) for fact in facts)


def test_offices_in_brackets_behind_names_are_facts() -> None:
    found = triples(
        "Present: Anna Smith (Chair), Boris Jones (Vice-Chair)\n\nThe film stars Ada Bell (pictured)."
    )
    held = "held the position of"
    assert {("Anna Smith", held, "Chair"), ("Boris Jones", held, "Vice-Chair")} <= found
    assert not any("pictured" in triple for triple in found)


def test_the_trade_and_the_body_in_brackets_are_facts() -> None:
    found = triples("The panel heard Ada Novak (chief economist, Zenith Bank).")
    assert {
        ("Ada Novak", "has occupation", "chief economist"),
        ("Ada Novak", "works for", "Zenith Bank"),
    } <= found
