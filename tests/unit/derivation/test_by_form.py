"""Short answers by form, out of sentences in languages that are not read."""

from __future__ import annotations

import pytest

from provgraph.derivation.by_form import answer_by_form


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("Wann wurde die Brücke eröffnet?", "Die Brücke wurde am 3. Juni 1954 eröffnet.", "3. Juni 1954"),
        ("Wie viele Boote liegen im Hafen?", "Im Hafen liegen 48 Boote und zwei Fähren.", "48 Boote"),
        (
            "Qui dirige le théâtre ?",
            "Depuis mars, le théâtre est dirigé par Solange Petitjean.",
            "Solange Petitjean",
        ),
        ("¿Cuánto costó el puente?", "El puente costó 3,4 millones de euros.", "3,4 millones de euros"),
        (
            "Quando fu aperta la scuola?",
            "La scuola fu aperta il 2 ottobre 1911 dal sindaco.",
            "2 ottobre 1911",
        ),
        ("图书馆有多少册书？", "图书馆2001年开放，有8000册书。", "8000册"),
        ("Warum schloss der Hafen?", "Der Hafen schloss 1990, weil er versandete.", "er versandete"),
        (
            "Von welcher Firma stammt der Kran?",
            "Der Kran kam 1988 von der Firma Ostmark Hebezeuge in Rostock.",
            "Ostmark Hebezeuge",
        ),
        ("Wie heißt die Kapitänin?", "Im Mai kam mit Frauke Lindt eine neue Kapitänin.", "Frauke Lindt"),
        ("Quale linea arriva al porto?", "Al porto arriva ogni ora la linea 12.", "linea 12"),
        ("¿Dónde estudió el capitán?", "El capitán, Luis Roa, estudió en Lisboa.", "Lisboa"),
        ("渡船叫什么？", "新的渡船叫“海燕”，每天开四次。", "海燕"),
        (
            "Quel est le prix d'une heure en hiver ?",
            "L'heure coûte 6 euros en été et 4 euros en hiver.",
            "4 euros",
        ),
    ],
)
def test_what_is_asked_for_is_found_by_its_form(question: str, sentence: str, answer: str) -> None:
    found = answer_by_form(question, sentence)
    assert found is not None
    assert found.text == answer
    assert sentence[found.start : found.end] == answer


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("Darf man Hunde mitbringen?", "Tiere sind an Bord nicht erlaubt.", "nein"),
        ("Puis-je fumer à bord ?", "Il n'est pas permis de fumer.", "non"),
        ("¿Hay que pagar por las maletas?", "Las maletas no se pagan.", "no"),
        ("船上可以吸烟吗？", "船上不可以吸烟。", "不"),
    ],
)
def test_a_sentence_that_denies_answers_no(question: str, sentence: str, answer: str) -> None:
    found = answer_by_form(question, sentence)
    assert found is not None
    assert (found.text, found.kind) == (answer, "yes-no")


def test_the_name_of_whom_the_thing_asked_for_is_answers_nothing() -> None:
    sentence = "Il giovedì il mastro cartaio Ugo Sbriz mostra come si fa un foglio."
    assert answer_by_form("Come si chiamava il padre del mastro cartaio?", sentence) is None


def test_a_denial_in_another_clause_is_no_answer() -> None:
    assert answer_by_form("Darf man rauchen?", "Auf Deck darf man rauchen, in der Kabine nicht.") is None


def test_a_question_that_leaves_its_kind_open_has_no_short_answer() -> None:
    assert answer_by_form("Womit fährt die Fähre?", "Die Fähre fährt mit Strom.") is None


def test_what_the_question_says_is_no_answer_to_it() -> None:
    assert answer_by_form("Wie viele Boote lagen 1950 dort?", "Im Jahr 1950 lagen dort Boote.") is None
