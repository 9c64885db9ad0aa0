"""The language of a text is told by its script and its commonest words."""

from __future__ import annotations

import pytest

from provgraph.language.languages import language_of
from provgraph.language.terms import content_terms

TEXTS = {
    "en": "The committee met in spring and chose a new chair.",
    "de": "Der Ausschuss tagte im Frühling und wählte eine neue Vorsitzende.",
    "fr": "Le comité s'est réuni au printemps et a élu une nouvelle présidente.",
    "es": "El comité se reunió en primavera y eligió a una nueva presidenta.",
    "it": "Il comitato si è riunito in primavera e ha eletto una nuova presidente.",
    "nl": "De commissie kwam in het voorjaar bijeen en koos een nieuwe voorzitter.",
    "zh": "委员会在春天开会，选出了新的主席。",
}


@pytest.mark.parametrize("language", TEXTS)
def test_a_sentence_tells_its_language(language: str) -> None:
    assert language_of(TEXTS[language]) == language


def test_without_any_common_word_a_text_counts_as_english() -> None:
    assert language_of("Ada Novak") == "en"
    assert language_of("") == "en"


def test_words_that_only_ask_are_no_content_in_their_own_language() -> None:
    assert set(content_terms("Wann wurde die Mühle gebaut?").values()) == {"Mühle", "gebaut"}
    assert set(content_terms("¿Cuándo se inauguró la nueva almazara?").values()) == {
        "inauguró",
        "nueva",
        "almazara",
    }
    assert set(content_terms("When will she die?").values()) == {"die"}
