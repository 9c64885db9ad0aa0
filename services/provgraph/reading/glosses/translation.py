"""The English word of each word, with its tag; what English has no word for is left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from provgraph.reading.glosses.words import GlossedSentence, GlossedWord, english_tag, features, is_auxiliary

_KINDS: Final = {"VERB": "verb", "AUX": "verb", "NOUN": "noun", "PROPN": "noun", "ADJ": "noun", "ADP": "adp"}
_BE: Final = frozenset({"être", "ser", "estar"})
_HAVE: Final = frozenset({"avoir", "haber"})
_POSSESSIVE: Final = frozenset({"son", "sa", "ses", "su", "sus"})
_KEPT_SUBTYPES: Final = frozenset({"nsubj:pass", "aux:pass", "obl:agent", "acl:relcl", "nmod:poss"})


def drop(sentence: GlossedSentence) -> None:
    """What English has no word for: "ne", the pronoun of a reflexive verb, the "a" before a person."""
    for word in list(sentence.words):
        form = word.text.lower()
        if form in ("ne", "n'", "n’"):
            sentence.remove(word)
        elif form in ("se", "s'", "s’") and word.head is not None and word.head.pos == "VERB":
            word.head.lemma = f"se {word.head.lemma.removesuffix('se')}"
            sentence.remove(word)
        elif form == "a" and word.head is not None and word.head.relation == "obj" and word.pos == "ADP":
            word.head.relation = "obl:arg" if _is_passive(sentence, word.head.head) else "obj"
            if word.head.relation == "obj":
                sentence.remove(word)


def _is_passive(sentence: GlossedSentence, verb: GlossedWord | None) -> bool:
    return verb is not None and any(word.lemma in _BE for word in sentence.children(verb))


def translate(sentence: GlossedSentence) -> None:
    for word in sentence.words:
        word.relation = word.relation if word.relation in _KEPT_SUBTYPES else word.relation.partition(":")[0]
        if (
            word is sentence.words[0]
            and not word.entity
            and sentence.glossary.find("noun", word.text.lower())
        ):
            word.pos, word.lemma, word.is_name, word.tag = "NOUN", word.text.lower(), False, "Number=Sing"
        if word.is_name or word.pos in ("NUM", "PUNCT", "SYM"):
            word.tag = word.tag if word.is_name else english_tag(word.pos, {})
            continue
        given = features(word.tag)
        word.number, word.tense = given.get("Number", ""), given.get("Tense", "")
        word.mood, word.tag = given.get("Mood", ""), english_tag(word.pos, given)
        if word.tag == "NNS" and any(_is_singular(other) for other in sentence.children(word)):
            word.tag = "NN"
        _put(sentence, word, given)


def _put(sentence: GlossedSentence, word: GlossedWord, given: Mapping[str, str]) -> None:
    form = word.text.lower().replace("’", "'")
    if form in _POSSESSIVE and given.get("Poss") == "Yes":
        word.lemma, word.pos, word.tag = sentence.possessive, "PRON", "PRP$"
        word.relation, word.text = "nmod:poss", sentence.possessive
        return
    if is_auxiliary(word) and word.lemma in _BE | _HAVE:
        word.lemma = "be" if word.lemma in _BE else "have"
        return
    if word.pos in ("ADJ", "VERB") and not sentence.glossary.find("verb", word.lemma):
        _put_participle(sentence, word, form)
    word.is_turned = word.lemma in sentence.glossary.passive
    kind = _KINDS.get(word.pos, "word")
    ways = (
        (kind, form if kind == "word" else word.lemma),
        (kind, form),
        (kind, word.lemma),
        ("word", form),
    )
    english = next((found for way in ways if (found := sentence.glossary.find(*way))), "")
    word.is_known = bool(english)
    if english:
        word.text = word.lemma = english

    if word.pos == "AUX" and english in ("may", "must"):
        word.tag, word.relation = "MD", "aux"


def _put_participle(sentence: GlossedSentence, word: GlossedWord, form: str) -> None:
    """ "situado", taken for an adjective."""
    infinitive = sentence.glossary.participle(form)
    if not infinitive or sentence.glossary.find("noun", word.lemma):
        return
    word.lemma, word.pos, word.tag = infinitive, "VERB", "VBN"
    word.relation = "acl" if word.relation == "amod" else word.relation
    for other in sentence.children(word):
        if other.relation == "cop":
            other.relation = "aux:pass"


def _is_singular(word: GlossedWord) -> bool:
    """Whether it is a determiner of one thing, which tells more of a noun like "fils" than its own form."""
    return word.relation in ("det", "nmod:poss") and word.number == "Sing"
