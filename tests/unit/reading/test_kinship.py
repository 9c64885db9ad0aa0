"""Who is whose child, parent, wife or husband, as biographies tell it."""

import pytest

from provgraph.reading.parser.built_in import BuiltInParser
from provgraph.reading.reader import read

PARSER = BuiltInParser()


def facts(text: str, title: str = "Greta Falk") -> set[str]:
    told = read(text, PARSER, title).propositions
    return {f"{p.subject.label} | {p.relation} | {p.object.label}" for p in told if p.object is not None}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "Greta Falk was born in Brode as the youngest of five children of the schoolmaster Ole Falk and his wife "
            "Ingrid Kallin, a sister of the brewer Anders Kallin.",
            {
                "Ole Falk | child | Greta Falk",
                "Ingrid Kallin | child | Greta Falk",
                "Ole Falk | wife | Ingrid Kallin",
                "Anders Kallin | sister | Ingrid Kallin",
            },
        ),
        (
            "Greta Falk married William Tait in 1905. They had two daughters, Elin and Ada, and a son, Robert.",
            {
                f"{parent} | {kin} | {child}"
                for parent in ("Greta Falk", "William Tait")
                for kin, child in (("daughter", "Elin"), ("daughter", "Ada"), ("son", "Robert"))
            },
        ),
        (
            "Greta Falk married William Tait. The couple had a son, Robert, who became a botanist, and a daughter, "
            "Elin, who emigrated to Canada.",
            {"William Tait | son | Robert", "Greta Falk | daughter | Elin", "Robert | occupation | botanist"},
        ),
        (
            "Greta Falk and her husband, William Tait, moved to Sarn. Their son Robert became a botanist.",
            {"Greta Falk | husband | William Tait", "William Tait | son | Robert"},
        ),
        (
            "Greta Falk was the elder of the two children of a keeper, Esteban Quant, and of Paula Herrero.",
            {"Esteban Quant | child | Greta Falk", "Paula Herrero | child | Greta Falk"},
        ),
    ],
)
def test_relatives_are_told_by_what_they_are_called(text: str, told: set[str]) -> None:
    assert told <= facts(text)


def test_others_than_a_couple_have_no_children_by_they() -> None:
    told = facts("Greta Falk knew William Tait. They had two daughters, Elin and Ada.")
    assert not any("Elin" in fact and ("Greta" in fact or "William" in fact) for fact in told)


def test_a_firm_that_has_a_founder_has_no_child() -> None:
    assert not any(" child " in fact for fact in facts("Acme had a founder, Tom Reed.", "Acme"))


def test_who_a_sentence_is_about_is_whom_the_next_one_means() -> None:
    told = facts(
        "Tobias Harrow was a shipbuilder. He was the third of six children of the carpenter Jens Harrow and his wife "
        "Marta. In 1907 he married Signe Dahl, a teacher, and the couple had two sons, Erik and Nils.",
        "Tobias Harrow",
    )
    assert "Tobias Harrow | spouse | Signe Dahl" in told
    assert {"Tobias Harrow | son | Nils", "Signe Dahl | son | Erik"} <= told
    assert not any(fact.startswith("Jens Harrow | son") for fact in told)


def test_a_rank_is_of_the_name_before_it_and_what_somebody_is_of_the_last() -> None:
    told = facts(
        "Edward Ashby, 4th Baron Ashby, was the son of Henry Ashby, 3rd Baron Ashby and Mary Hall, daughter of Tom "
        "Hall. The band was formed by Tom Reed, a drummer, Ann Bell, a singer, and Joe Orr.",
        "Edward Ashby",
    )
    assert {"Tom Hall | daughter | Mary Hall", "Ann Bell | occupation | singer"} <= told
    assert not any(fact.startswith("3rd Baron Ashby |") for fact in told)
    assert "Tom Reed | occupation | singer" not in told


def test_father_to_somebody_is_the_father_of_somebody() -> None:
    assert "Ada Mali | father | Jagdish Mali" in facts("Jagdish Mali was father to the actress Ada Mali.", "")
