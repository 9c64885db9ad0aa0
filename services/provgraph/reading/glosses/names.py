"""Names, numbers and dates of a sentence, as English writes them: before any word is translated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from provgraph.reading.entity_types import type_of_noun
from provgraph.reading.glosses.words import KINDS_IN_NAMES, GlossedSentence, GlossedWord

_MONTHS: Final = frozenset(
    "January February March April May June July August September October November December".split()
)
_PARTICLES: Final = frozenset(
    "de du des d' d’ del della di da von van zu la le les el los las l' l’ y et & - '".split()
)
_GROUPED: Final = re.compile(r"\d{1,3}(?:[. \u00a0\u202f]\d{3})+(?:,\d+)?")
_DECIMAL: Final = re.compile(r"\d+,\d+")


def join_numbers(sentence: GlossedSentence) -> None:
    """Numbers as English writes them: "150 000" and "150.000" → "150,000", "3,5" → "3.5"."""
    for word in list(sentence.words):
        at = sentence.index(word) if word in sentence.words else -1
        while 0 <= at < len(sentence.words) - 1 and _GROUPED.fullmatch(
            f"{word.text} {sentence.words[at + 1].text}"
        ):
            after = sentence.words[at + 1]
            word.text, word.origin = f"{word.text} {after.text}", (word.origin[0], after.origin[1])
            sentence.remove(after)
        if _GROUPED.fullmatch(word.text) or _DECIMAL.fullmatch(word.text):
            whole, comma, decimals = word.text.partition(",")
            word.text = "".join((re.sub(r"\D", ",", whole), "." * bool(comma), decimals))
            word.pos, word.relation = "NUM", "nummod" if word.relation == "det" else word.relation


def join_names(sentence: GlossedSentence) -> None:
    """The words of a name hang on one of them: on the last, or on the last before "de"."""
    for name in _names(sentence):
        end = next((at for at, word in enumerate(name) if at and word.text[0].islower()), len(name))
        head = name[end - 1]
        outside = [word for word in name if word.head not in name]
        if outside and head is not outside[0]:
            head.head, head.relation = outside[0].head, outside[0].relation
        for word in sentence.words:
            if word.head in name and word not in name:
                word.head = head
        for at, word in enumerate(name):
            word.is_name = True
            word.pos, word.tag = ("PROPN", "NNP") if word.pos != "PUNCT" else (word.pos, word.tag)
            if word is not head:
                word.head, word.relation = head, "compound" if at < end else "flat"


def _names(sentence: GlossedSentence) -> Iterator[list[GlossedWord]]:
    name: list[GlossedWord] = []
    for word in [*sentence.words, None]:
        goes_on = word is not None and (word.text[0].isupper() or word.text.lower() in _PARTICLES)
        if word is not None and name and goes_on and word.entity.startswith("I-"):
            name.append(word)
            continue
        while name and name[-1].text.lower() in _PARTICLES:
            name.pop()
        if name and (name[0].text[:1].isupper() or _shows_its_kind(sentence, name)):
            yield name
        name = [word] if word is not None and word.entity.startswith("B-") else []


def _shows_its_kind(sentence: GlossedSentence, name: Sequence[GlossedWord]) -> bool:
    """ "musée Valmont", "université de Lyon": a name that begins with what it is, in English then."""
    english = sentence.glossary.find("noun", name[0].lemma)
    kind = type_of_noun(english)
    if kind == "Person" or name[0].pos != "NOUN" or not any(word.text[0].isupper() for word in name):
        return False
    if kind in KINDS_IN_NAMES:
        for word in name:
            word.entity = f"{word.entity[:2]}{kind.upper()}"
    name[0].text = (english or name[0].text).capitalize()
    for word in name[1:]:
        word.text = "of" if word.text.lower() in ("de", "du", "d'", "del") else word.text
    return True


def mend_dates(sentence: GlossedSentence) -> None:
    """ "le 7 novembre 1867" → "on 7 November 1867"."""
    for at, word in enumerate(list(sentence.words)):
        month = sentence.glossary.find("noun", word.text.lower())
        if month not in _MONTHS or word not in sentence.words:
            continue
        word.pos, word.lemma, word.tag, word.is_name, word.text = "PROPN", month, "NNP", True, month
        at = sentence.index(word)
        around = sentence.words[max(0, at - 3) : at + 3]
        for other in around:
            if other.text.lower() == "de" and _near_number(sentence, other, word):
                sentence.remove(other)
        at = sentence.index(word)
        day = sentence.words[at - 1] if at and sentence.words[at - 1].pos == "NUM" else None
        year = (
            sentence.words[at + 1]
            if at + 1 < len(sentence.words) and _is_year(sentence.words[at + 1])
            else None
        )
        _raise_month(sentence, word, [number for number in (day, year) if number is not None])


def _near_number(sentence: GlossedSentence, word: GlossedWord, month: GlossedWord) -> bool:
    at = sentence.index(word)
    beside = sentence.words[at - 1 : at] + sentence.words[at + 1 : at + 2]
    return month in beside and any(other.pos == "NUM" or other.text.isdigit() for other in beside)


def _raise_month(sentence: GlossedSentence, month: GlossedWord, numbers: Sequence[GlossedWord]) -> None:
    """The month carries its day and year, and an article before them becomes "on"."""
    date = [month, *numbers]
    top = next((word for word in date if word.head not in date), month)
    if top is not month:
        month.head, month.relation = top.head, top.relation
    for word in list(sentence.words):
        if word.head in numbers and word is not month:
            word.head = month
    for word in date:
        word.entity = "I-DATE"
        if word is not month:
            word.head, word.relation, word.pos, word.tag = month, "nummod", "NUM", "CD"
    for word in list(sentence.children(month)):
        if word.relation == "det" and numbers:
            word.relation, word.pos, word.is_name, word.text, word.lemma = "case", "ADP", True, "on", "on"
            word.tag = "IN"
    month.relation = month.relation.partition(":")[0]


def _is_year(word: GlossedWord) -> bool:
    return word.text.isdigit() and len(word.text) == 4
