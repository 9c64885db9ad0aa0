"""Trees of French and Spanish sentences, as spaCy's pipelines make them, read through their English glosses."""

from __future__ import annotations

import pytest

from provgraph.reading.glosses import LANGUAGES, GlossedText, glossed
from provgraph.reading.glosses.glossary import glossary
from provgraph.reading.propositions import Proposition
from provgraph.reading.reader import read_parsed
from provgraph.reading.relations import vocabulary
from provgraph.reading.syntax import ParsedSentence, Token

TREES = """
## fr Henri Valmont est né à Lyon le 3 mai 1889.
Henri Henri PROPN Number=Sing nsubj:pass 3 B-PERSON
Valmont valmont VERB Mood=Ind|Number=Sing|Tense=Past|VerbForm=Fin flat:name 0 I-PERSON
est être AUX Mood=Ind|Number=Sing|Tense=Pres|VerbForm=Fin aux:pass 3 _
né naître VERB Number=Sing|Tense=Past|VerbForm=Part root -1 _
à à ADP _ case 5 _
Lyon Lyon PROPN Number=Sing obl:mod 3 B-PLACE
le le DET Number=Sing det 7 _
3 3 NUM _ obl:mod 3 _
mai mai NOUN Number=Sing nmod 7 _
1889 1889 NUM _ nmod 8 _
. . PUNCT _ punct 3 _
## fr L'usine sera vendue à Orval SA.
L' le DET Number=Sing det 1 _
usine usine NOUN Number=Sing nsubj:pass 3 _
sera être AUX Mood=Ind|Number=Sing|Tense=Fut|VerbForm=Fin aux:pass 3 _
vendue vendre VERB Number=Sing|Tense=Past|VerbForm=Part root -1 _
à à ADP _ case 5 _
Orval orval NOUN _ obl:arg 3 B-PLACE
SA son DET Number=Sing|Poss=Yes amod 5 I-PLACE
. . PUNCT _ punct 3 _
## fr Tom Reed n'a pas fondé l'institut.
Tom Tom PROPN Number=Sing nsubj 5 B-PERSON
Reed Reed PROPN _ flat:name 0 I-PERSON
n' ne ADV _ advmod 5 _
a avoir AUX Mood=Ind|Number=Sing|Tense=Pres|VerbForm=Fin aux:tense 5 _
pas pas ADV _ advmod 5 _
fondé fonder VERB Number=Sing|Tense=Past|VerbForm=Part root -1 _
l' le DET Number=Sing det 7 _
institut institut NOUN Number=Sing obj 5 _
. . PUNCT _ punct 5 _
## es Ella se casó con el químico Pedro Gil en 1890.
Ella él PRON Number=Sing nsubj 2 _
se él PRON _ obj 2 _
casó casar VERB Mood=Ind|Number=Sing|Tense=Past|VerbForm=Fin root -1 _
con con ADP _ case 5 _
el el DET Number=Sing det 5 _
químico químico ADJ Number=Sing obl 2 _
Pedro Pedro PROPN _ appos 5 B-PERSON
Gil Gil PROPN _ flat 6 I-PERSON
en en ADP _ case 9 _
1890 1890 NOUN _ obl 2 _
. . PUNCT _ punct 2 _
## es El instituto fue fundado por Tom Reed en 1909.
El el DET Number=Sing det 1 _
instituto instituto NOUN Number=Sing nsubj 3 _
fue ser AUX Mood=Ind|Number=Sing|Tense=Past|VerbForm=Fin aux 3 _
fundado fundar VERB Number=Sing|Tense=Past|VerbForm=Part root -1 _
por por ADP _ case 5 _
Tom Tom PROPN _ obj 3 B-PERSON
Reed Reed PROPN _ flat 5 I-PERSON
en en ADP _ case 8 _
1909 1909 NOUN _ obl 3 _
. . PUNCT _ punct 3 _
## es La ciudad de Burgos tiene 175.000 habitantes.
La el DET Number=Sing det 1 _
ciudad ciudad NOUN Number=Sing nsubj 4 B-PLACE
de de ADP _ case 3 I-PLACE
Burgos Burgos PROPN _ nmod 1 I-PLACE
tiene tener VERB Mood=Ind|Number=Sing|Tense=Pres|VerbForm=Fin root -1 _
175.000 175000 NUM _ nummod 6 _
habitantes habitante NOUN Number=Plur obj 4 _
. . PUNCT _ punct 4 _
## es El puente podría haber sido construido por Juan Soler.
El el DET Number=Sing det 1 _
puente puente NOUN Number=Sing nsubj 5 _
podría poder AUX Mood=Cnd|Number=Sing|VerbForm=Fin aux 5 _
haber haber AUX VerbForm=Inf aux 5 _
sido ser AUX Number=Sing|Tense=Past|VerbForm=Part aux 5 _
construido construir VERB Number=Sing|Tense=Past|VerbForm=Part root -1 _
por por ADP _ case 7 _
Juan Juan PROPN _ obj 5 B-PERSON
Soler Soler PROPN _ flat 7 I-PERSON
. . PUNCT _ punct 5 _
"""
"""Of each word: form, lemma, part of speech, features, relation, head, entity; "_" for none."""


def _trees() -> dict[str, tuple[str, list[str]]]:
    trees: dict[str, tuple[str, list[str]]] = {}
    for block in TREES.strip().split("## ")[1:]:
        head, *words = block.strip().split("\n")
        language, _, text = head.partition(" ")
        trees[text] = (language, words)
    return trees


def _parsed(text: str) -> tuple[str, ParsedSentence]:
    language, words = _trees()[text]
    tokens, at = [], 0
    for index, line in enumerate(words):
        form, lemma, pos, features, relation, head, entity = line.replace(" _", " ").split(" ")
        at = text.index(form, at)
        tokens.append(
            Token(index, form, at, at + len(form), lemma, pos, features, int(head), relation, entity)
        )
        at += len(form)
    return language, ParsedSentence(tuple(tokens), 0, len(text))


def _read(text: str) -> tuple[GlossedText, tuple[Proposition, ...]]:
    language, sentence = _parsed(text)
    gloss = glossed([sentence], language)
    return gloss, read_parsed(gloss.text, gloss.sentences).propositions


@pytest.mark.parametrize(
    ("text", "subject", "relation", "target"),
    [
        ("Henri Valmont est né à Lyon le 3 mai 1889.", "Henri Valmont", "born-in-place", "Lyon"),
        ("Henri Valmont est né à Lyon le 3 mai 1889.", "Henri Valmont", "born-on-date", "3 mai 1889"),
        ("Ella se casó con el químico Pedro Gil en 1890.", "Ella", "spouse", "Pedro Gil"),
        ("Ella se casó con el químico Pedro Gil en 1890.", "Pedro Gil", "occupation", "químico"),
        ("El instituto fue fundado por Tom Reed en 1909.", "El instituto", "founded-by", "Tom Reed"),
        ("El instituto fue fundado por Tom Reed en 1909.", "El instituto", "founded-on-date", "1909"),
        (
            "La ciudad de Burgos tiene 175.000 habitantes.",
            "ciudad de Burgos",
            "population",
            "175.000 habitantes",
        ),
    ],
)
def test_what_a_sentence_says_is_read_and_stands_at_its_own_words(
    text: str, subject: str, relation: str, target: str
) -> None:
    gloss, propositions = _read(text)
    (said,) = (proposition for proposition in propositions if proposition.relation == relation)
    assert said.object is not None
    assert said.polarity
    assert said.modality == "asserted"
    spans = [gloss.original(part.span.start, part.span.end) for part in (said.subject, said.object)]
    assert [text[start:end] for start, end in spans] == [subject, target]


@pytest.mark.parametrize(
    ("text", "modality", "polarity"),
    [
        ("L'usine sera vendue à Orval SA.", "planned", True),
        ("El puente podría haber sido construido por Juan Soler.", "possible", True),
        ("Tom Reed n'a pas fondé l'institut.", "asserted", False),
    ],
)
def test_what_is_to_come_possible_or_denied_is_marked(text: str, modality: str, polarity: bool) -> None:
    _, (said,) = _read(text)
    assert (said.modality == modality or said.tense == "future", said.polarity) == (True, polarity)


def test_numbers_are_written_as_in_english() -> None:
    gloss, (said,) = _read("La ciudad de Burgos tiene 175.000 habitantes.")
    assert "175,000 inhabitants" in gloss.text
    assert said.object is not None
    assert "175000" in str(said.object.value)


def test_every_word_stands_for_characters_of_the_text_and_trees_stay_whole() -> None:
    for text in _trees():
        language, sentence = _parsed(text)
        gloss = glossed([sentence], language)
        (tree,) = gloss.sentences
        assert sum(token.head < 0 for token in tree.tokens) == 1
        for token in tree.tokens:
            start, end = gloss.original(token.start, token.end)
            assert 0 <= start < end <= len(text)
            assert gloss.text[token.start : token.end] == token.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_dictionary_leads_to_words_of_the_vocabulary(language: str) -> None:
    """Most verbs of relations can be said; a mistyped English word would say none."""
    words = glossary(language).words
    verbs = {english for (kind, _), english in words.items() if kind == "verb"}
    known = {verb for verb in verbs if vocabulary().find("verb", verb)}
    assert len(known) > 80
    assert len(verbs - known) < 30
