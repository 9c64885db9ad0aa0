"""IRIs of entities, documents, chunks: always valid, and different where the things are."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import NamedNode

from provgraph.errors import InvalidInput
from provgraph.rdf.iris import (
    ExtractionIdentity,
    SessionNames,
    chunk_iri,
    collection_iri,
    digest,
    document_iri,
    entity_iri,
    iri,
    local_name,
    page_iri,
    subgraph_iri,
    version_iri,
)


def normalised(label: str) -> str:
    folded = unicodedata.normalize("NFC", label).casefold()
    return unicodedata.normalize("NFC", " ".join(folded.split()))


labels = st.text(min_size=1).filter(normalised)


@given(labels, labels)
def test_two_labels_share_an_iri_only_when_they_are_one_name(one: str, other: str) -> None:
    assert (entity_iri(one) == entity_iri(other)) == (normalised(one) == normalised(other))


@given(labels, st.text(), st.text())
def test_a_discriminator_parts_things_of_one_name(label: str, one: str, other: str) -> None:
    assert (entity_iri(label, one) == entity_iri(label, other)) == (one == other)


@given(labels, st.text(min_size=1), labels)
def test_a_discriminator_is_never_taken_for_part_of_a_label(
    label: str, discriminator: str, other: str
) -> None:
    assert entity_iri(label, discriminator) != entity_iri(other)


@given(labels)
def test_an_entity_iri_reads_back_as_its_label(label: str) -> None:
    assert local_name(entity_iri(label).value) == normalised(label)
    assert local_name(entity_iri(label, "2; 3").value) == normalised(label)


@given(labels)
def test_an_entity_iri_is_an_iri(label: str) -> None:
    assert NamedNode(entity_iri(label).value).value.isascii()


def test_languages_and_scripts_stay_apart() -> None:
    names = ["C", "C++", "C#", "김철수", "김영희", "Ж", "100 %", "100", "a/b", "a b", "ab"]
    assert len({entity_iri(name) for name in names}) == len(names)


def test_case_spacing_and_composition_do_not_part_a_name() -> None:
    assert entity_iri("Marie  Curie") == entity_iri("marie curie") == entity_iri(" MARIE\nCURIE ")
    assert entity_iri("Zürich") == entity_iri("Zu\u0308rich")
    assert entity_iri("\u0390") == entity_iri("\u0390".upper())


@pytest.mark.parametrize("label", ["", "  ", "\t\n"])
def test_a_label_without_a_visible_character_is_no_name(label: str) -> None:
    with pytest.raises(ValueError, match="label"):
        entity_iri(label)


@given(st.text())
def test_any_given_id_makes_a_document_iri(given_id: str) -> None:
    made = document_iri(b"content", given_id)
    assert NamedNode(made.value) == made


def test_a_document_keeps_the_iri_it_is_given() -> None:
    assert document_iri(b"x", "https://example.org/a b") == document_iri(b"y", "https://example.org/a b")
    assert document_iri(b"x", "https://example.org/thesis").value == "https://example.org/thesis"
    assert document_iri(b"x") != document_iri(b"y")


@pytest.mark.parametrize(
    "given_id",
    [
        page_iri(version_iri(document_iri(b"x"), digest(b"x")), 1).value,
        version_iri(NamedNode("https://example.org/thesis"), digest(b"x")).value,
        chunk_iri(document_iri(b"x"), "text", 0).value,
        SessionNames("00000000-0000-4000-8000-000000000000").answer_text.value,
        collection_iri("default").value,
        entity_iri("Marie Curie").value,
        "urn:graph:knowledge",
        "http://www.w3.org/ns/prov#Entity",
    ],
)
def test_no_document_takes_the_name_of_something_else(given_id: str) -> None:
    with pytest.raises(InvalidInput, match="another id"):
        document_iri(b"other", given_id)


def test_what_is_no_iri_is_refused() -> None:
    with pytest.raises(InvalidInput, match="absolute IRI"):
        iri("no iri")


def test_a_repeated_paragraph_is_two_chunks() -> None:
    document = document_iri(b"x")
    assert chunk_iri(document, "the same", 0) != chunk_iri(document, "the same", 1)


@given(st.text(), st.text(), st.text(), st.text())
def test_what_decides_an_extraction_decides_its_subgraph(a: str, b: str, c: str, d: str) -> None:
    chunk = NamedNode("urn:example:chunk")
    one, other = ExtractionIdentity(chunk, a, b), ExtractionIdentity(chunk, c, d)
    assert (subgraph_iri(one) == subgraph_iri(other)) == ((a, b) == (c, d))
