"""What a model proposes becomes a fact only where the text proves it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from provgraph.errors import TooLarge, UnreadableDocument, UnsupportedDocument
from provgraph.extraction.by_model.ontology_reading import read_ontology
from provgraph.extraction.by_model.proposals import verified
from provgraph.extraction.facts import Entity, Fact, Passage, Value

TEXT = (
    "Marie Curie discovered polonium in 1898. She named it after Poland. "
    "Polonium is a radioactive element. BERT uses attention and reaches an F1 of 0.93 on SQuAD."
)
PASSAGE = Passage(TEXT, "Radioactive substances", 0, len(TEXT))
RESEARCH = read_ontology((Path(__file__).parents[3] / "ontology/research.ttl").read_bytes(), "research.ttl")
NS = "https://trustgraph.ai/ns/research#"
STRICT = b"""
@prefix : <https://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Person a owl:Class . :Element a owl:Class ; rdfs:subClassOf :Thing . :Thing a owl:Class .
:discovered a owl:ObjectProperty ; rdfs:label "has discovered"@en ; rdfs:domain :Person ; rdfs:range :Thing .
:year a owl:DatatypeProperty ; rdfs:domain :Thing ; rdfs:range xsd:gYear .
:score a owl:DatatypeProperty ; rdfs:range xsd:decimal .
:count a owl:DatatypeProperty ; rdfs:range xsd:nonNegativeInteger .
:note a owl:DatatypeProperty .
"""
ONTOLOGY = read_ontology(STRICT, "strict.ttl")
QUOTE = "Marie Curie discovered polonium in 1898."


def proposal(**changed: Any) -> dict[str, Any]:
    return {
        "subject": "Marie Curie",
        "subject_type": "Person",
        "relation": "discovered",
        "object": "polonium",
        "object_type": "Concept",
        "quote": QUOTE,
    } | changed


def only(item: dict[str, Any]) -> Fact:
    (fact,) = verified(PASSAGE, [item]).facts
    return fact


def test_a_proved_proposal_is_a_fact_of_its_sentence() -> None:
    fact = only(proposal(quote="Curie discovered polonium"))
    assert fact == Fact(
        Entity("Marie Curie", "Person"), "discovered", Entity("polonium", "Concept"), 0.9, 0, len(QUOTE)
    )


def test_a_name_from_a_sentence_nearby_makes_a_fact_less_sure() -> None:
    named = proposal(relation="named polonium after", object="Poland", quote="She named it after Poland")
    assert only(named).confidence == 0.75


def test_a_date_is_a_typed_value() -> None:
    assert only(proposal(relation="discovered polonium in", object="1898")).object == Value(
        "date", "1898", "1898"
    )
    assert only(proposal(object=1898)).object == Value("date", "1898", "1898")


def test_a_definition_is_in_words_under_the_name_that_vocabularies_share() -> None:
    fact = only(
        {"entity": "Polonium", "definition": "a radioactive element", "quote": "Polonium is a radioactive"}
    )
    assert fact.object == Value("text", "a radioactive element", "a radioactive element")
    assert fact.relation_iri is not None
    assert fact.relation_iri.value == "http://www.w3.org/2004/02/skos/core#definition"


@pytest.mark.parametrize(
    ("item", "fault"),
    [
        (proposal(quote="Marie Curie won the Nobel Prize twice."), "quote not found"),
        (proposal(quote=""), "incomplete"),
        (proposal(subject=""), "incomplete"),
        (proposal(object="Marie Curie"), "incomplete"),
        (proposal(relation=["discovered"]), "incomplete"),
        (proposal(subject={"name": "Marie Curie"}), "incomplete"),
        (proposal(relation="x" * 100), "incomplete"),
        (proposal(subject="Isaac Newton"), "names not in the text"),
        (proposal(subject="마리 퀴리"), "names not in the text"),
        ({}, "incomplete"),
    ],
)
def test_what_is_not_proved_is_dropped_and_counted(item: dict[str, Any], fault: str) -> None:
    read = verified(PASSAGE, [item])
    assert (read.facts, dict(read.dropped)) == ((), {fault: 1})


def fault_of(quote: str, subject: str, relation: str, target: str) -> dict[str, int]:
    """What is wrong with a proposal whose quote is the whole passage; empty where it is a fact."""
    item = proposal(subject=subject, relation=relation, object=target, quote=quote)
    return dict(verified(Passage(quote), [item]).dropped)


FOUND = "Marie Curie and Pierre Curie discovered polonium in 1898."
SOLD = "Siemens acquired Nokia in 2013 for 1.7 billion euros."


@pytest.mark.parametrize(
    ("quote", "claimed", "fault"),
    [
        (FOUND, ("Marie Curie", "murdered", "Pierre Curie"), "relation not in the quote"),
        (FOUND, ("Marie Curie", "did not discover", "polonium"), "not denied in the quote"),
        (FOUND, ("Marie Curie", "never discovered", "polonium"), "not denied in the quote"),
        (FOUND, ("polonium", "discovered", "Marie Curie"), "the other way round in the quote"),
        (FOUND, ("polonium", "was discovered in", "May 1898"), "value not in the quote"),
        (SOLD, ("Nokia", "acquired", "Siemens"), "the other way round in the quote"),
        (SOLD, ("Nokia", "was acquired for", "1.9 billion euros"), "value not in the quote"),
        ("Ada Quist did not found Acme in Oslo.", ("Ada Quist", "founded", "Acme"), "denied in the quote"),
        (
            "Ada Quist died in Oslo in 1934.",
            ("Ada Quist", "was born in", "Oslo"),
            "relation not in the quote",
        ),
    ],
)
def test_what_the_quote_does_not_bear_is_dropped_with_the_reason(
    quote: str, claimed: tuple[str, str, str], fault: str
) -> None:
    assert fault_of(quote, *claimed) == {fault: 1}


@pytest.mark.parametrize(
    ("quote", "claimed"),
    [
        (FOUND, ("Marie Curie", "discovered", "polonium")),
        (FOUND, ("polonium", "discovered by", "Pierre Curie")),
        (FOUND, ("Marie Curie", "found", "polonium")),
        (FOUND, ("polonium", "discovery year", "1898")),
        (SOLD, ("Nokia", "acquired by", "Siemens")),
        (SOLD, ("Siemens", "acquired Nokia for", "1,700,000,000 euros")),
        ("Ada Quist did not found Acme in Oslo.", ("Ada Quist", "did not found", "Acme")),
        ("The mill is a church in Oslo.", ("mill", "is located in", "Oslo")),
        ("Ada Quist, the goalkeeper of Leeds United, was hurt.", ("Ada Quist", "plays for", "Leeds United")),
        ("Marie Curie a découvert le polonium en 1898.", ("Marie Curie", "discovered", "polonium")),
        ("마리 퀴리는 1898년에 폴로늄을 발견했다.", ("마리 퀴리는", "discovered in", "1898")),
    ],
)
def test_other_words_for_what_the_quote_says_are_no_fault(quote: str, claimed: tuple[str, str, str]) -> None:
    assert fault_of(quote, *claimed) == {}


def test_a_definition_keeps_the_numbers_of_its_quote() -> None:
    item = {"entity": "Polonium", "definition": "element 85", "quote": "Polonium is element 84."}
    read = verified(Passage("Polonium is element 84."), [item])
    assert dict(read.dropped) == {"value not in the quote": 1}


def test_a_fact_of_the_overlap_belongs_to_the_other_chunk() -> None:
    later = Passage(TEXT, own_start=len(QUOTE) + 1, own_end=len(TEXT))
    assert dict(verified(later, [proposal()]).dropped) == {"of another chunk": 1}


def test_a_fact_proposed_twice_is_one() -> None:
    assert len(verified(PASSAGE, [proposal(), proposal()]).facts) == 1


def test_a_type_that_nobody_asked_for_is_left_out() -> None:
    assert only(proposal(subject_type="http://evil.example/> . <a>")).subject == Entity("Marie Curie")


def guided(**changed: Any) -> Fact | dict[str, int]:
    base = proposal(object_type="Element")
    read = verified(PASSAGE, [base | changed], ONTOLOGY)
    return read.facts[0] if read.facts else dict(read.dropped)


def test_a_conforming_proposal_has_the_iris_of_the_ontology() -> None:
    fact = guided()
    assert isinstance(fact, Fact)
    assert (fact.subject.type, fact.relation_iri and fact.relation_iri.value) == (
        "https://example.org/Person",
        "https://example.org/discovered",
    )
    assert guided(relation="has  Discovered") == fact
    assert guided(relation="https://example.org/discovered") == fact


@pytest.mark.parametrize(
    "changed",
    [
        {"relation": "found"},
        {"subject_type": "Element"},
        {"subject_type": ""},
        {"subject_type": "Scientist"},
        {"object_type": "Person"},
        {"subject": "polonium", "subject_type": "Element", "relation": "year", "object": "last century"},
        {"subject": "polonium", "subject_type": "Element", "relation": "year", "object": "10 May 1898"},
        {"relation": "count", "object": "0.93", "quote": "an F1 of 0.93"},
        {"relation": "count", "object": "-1898"},
        {"relation": "score", "object": "polonium"},
    ],
)
def test_what_does_not_conform_is_rejected_and_counted(changed: dict[str, Any]) -> None:
    assert guided(**changed) == {"not in the ontology": 1}


@pytest.mark.parametrize(
    ("changed", "datatype", "lexical"),
    [
        (
            {"subject": "polonium", "subject_type": "Element", "relation": "year", "object": "1898"},
            None,
            "1898",
        ),
        ({"relation": "score", "object": "0.93", "quote": "an F1 of 0.93"}, "decimal", "0.93"),
        ({"relation": "count", "object": "1898"}, "nonNegativeInteger", "1898"),
        ({"relation": "note", "object": "a radioactive element"}, None, "a radioactive element"),
    ],
)
def test_a_value_is_of_the_datatype_that_is_asked_for(
    changed: dict[str, Any], datatype: str | None, lexical: str
) -> None:
    fact = guided(**changed)
    assert isinstance(fact, Fact)
    assert isinstance(fact.object, Value)
    assert fact.object.lexical == lexical
    assert (fact.object.datatype and fact.object.datatype.value.rsplit("#")[-1]) == datatype


def test_the_research_ontology_reads_papers() -> None:
    quote = "BERT uses attention and reaches an F1 of 0.93 on SQuAD."
    item = proposal(subject="BERT", subject_type="METHOD", relation="USES", quote=quote)
    (fact,) = verified(PASSAGE, [item | {"object": "attention", "object_type": "ALGORITHM"}], RESEARCH).facts
    assert fact.relation_iri is not None
    assert (fact.relation_iri.value, fact.subject.type) == (f"{NS}USES", f"{NS}METHOD")
    wrong = verified(
        PASSAGE, [item | {"object": "SQuAD", "object_type": "DATASET", "relation": "IMPROVES"}], RESEARCH
    )
    assert dict(wrong.dropped) == {"not in the ontology": 1}


def test_an_ontology_is_told_in_plain_words() -> None:
    told = RESEARCH.described()
    for name in ("CONCEPT", "METHOD", "ALGORITHM", "DATASET", "METRIC"):
        assert f"- {name}: " in told
    assert "- USES: A method uses" in told
    assert "from METHOD; to CONCEPT or DATASET or METRIC" in told


def _chain(classes: int, words: str = "") -> bytes:
    """Each class a subclass of the next, and all of the last."""
    prefixes = b"""@prefix : <urn:x:> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        @prefix owl: <http://www.w3.org/2002/07/owl#> . :p a owl:ObjectProperty ; rdfs:comment "%s" .
    """
    lines = [f":C{at} a owl:Class ; rdfs:subClassOf :C{(at + 1) % classes} ." for at in range(classes)]
    return prefixes % words.encode() + "\n".join(lines).encode()


@pytest.mark.parametrize(
    "content",
    [_chain(5_000), _chain(2, words="word " * 25_000), _chain(2) + b"# much more\n" * 200_000],
    ids=["a chain of classes", "long comments", "a long file"],
)
def test_an_ontology_that_no_prompt_can_hold_is_refused(content: bytes) -> None:
    with pytest.raises(TooLarge, match="Give the part that matters"):
        read_ontology(content, "huge.ttl")


def test_classes_in_a_circle_are_each_of_the_others_kind() -> None:
    circle = read_ontology(_chain(3), "circle.ttl")
    assert all(len(each.ancestors) == 3 for each in circle.classes.values())


def test_a_file_that_is_no_ontology_is_told() -> None:
    with pytest.raises(UnsupportedDocument, match=r"\.ttl"):
        read_ontology(b"", "ontology.pdf")
    with pytest.raises(UnreadableDocument, match="cannot be read"):
        read_ontology(b"<not turtle", "a.ttl")
    with pytest.raises(UnreadableDocument, match="declares no class"):
        read_ontology(b"<urn:a> <urn:b> <urn:c> .", "a.ttl")
