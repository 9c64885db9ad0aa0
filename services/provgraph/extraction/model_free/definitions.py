"""What is said without a verb: appositions, aliases in brackets, dates of life, possessives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from provgraph.extraction.model_free.entity_types import type_of_name, type_of_noun
from provgraph.extraction.model_free.labels import clean_label
from provgraph.extraction.model_free.phrases import noun_phrase
from provgraph.extraction.model_free.sentence import Phrase, Sentence
from provgraph.extraction.model_free.values import dates_in
from provgraph.extraction.model_free.word_classes import QUALIFYING

_ALIAS = re.compile(r"[A-Z][A-Za-z&.-]{1,9}\Z")
_NATIONALITY = re.compile(r"(?:ish|[ia]n|ese|ch|sh|ic|[aeq]i)\Z")
_BORN = re.compile(r"\s*(?:born|b\.)\s", re.I)


@dataclass(frozen=True)
class Draft:
    """A fact before its names are cleaned: phrases of the sentence and the words that join them.

    `object` is the text itself where it is not a phrase of its own (a date within brackets).
    """

    subject: Phrase
    relation: str
    object: Phrase | str
    confidence: float


def definitions(sentence: Sentence) -> Iterator[Draft]:
    """Facts of noun phrases that stand side by side."""
    for index, chunk in enumerate(sentence.chunks):
        if chunk.kind != "n":
            continue
        phrase, after = noun_phrase(sentence, index)
        yield from _titled(sentence, index)
        if sentence.kinds[after] == ",":
            yield from _apposition(sentence, index, phrase, after)
        elif sentence.kinds[after] == "(":
            yield from _bracket(sentence, phrase, after)


def occupation(sentence: Sentence, draft: Draft) -> Draft | None:
    """Of "is a Polish physicist" also "is a physicist", so that all physicists meet in one node."""
    if not draft.relation.endswith(" a") or isinstance(draft.object, str):
        return None
    phrase = draft.object
    start = phrase.head
    while start > phrase.start and sentence.tags[start - 1] == "N":
        start -= 1
    names = [token.text for token in sentence.tokens[phrase.start : start] if token.tag == "P"]
    qualified = sentence.tags[start - 1] in "JP" and all(_NATIONALITY.search(name) for name in names)
    words = {token.lower for token in sentence.tokens[phrase.start : start]}
    if start == phrase.head or not qualified or not words.isdisjoint(QUALIFYING):
        return None
    if type_of_noun(sentence.tokens[phrase.head - 1].lower) != "Person":
        return None
    return replace(draft, object=Phrase(start, phrase.head, phrase.head))


def _is_name(sentence: Sentence, phrase: Phrase) -> bool:
    return sentence.tags[phrase.head - 1] == "P"


def _apposition(sentence: Sentence, index: int, phrase: Phrase, comma: int) -> Iterator[Draft]:
    """Marie Curie, a Polish physicist, …"""
    kinds, tags = sentence.kinds, sentence.tags
    if kinds[comma + 1] != "n" or not _is_name(sentence, phrase) or kinds[max(index - 1, 0)] in ",U":
        return
    other, after = noun_phrase(sentence, comma + 1)
    article = tags[other.start] == "D" and sentence.tokens[other.start].lower in ("a", "an", "the")
    common = tags[other.head - 1] == "N"
    personal = type_of_noun(sentence.tokens[other.head - 1].lower) == "Person"
    if (
        tags[other.start] == "S"
        or kinds[after] not in ",.WlI)"
        or kinds[after + 1] == "U"
        or not common
        or not (article or personal)
    ):
        return
    if kinds[after] == "I":
        other, after = _with_preposition(sentence, other, after)
    definite = sentence.tokens[other.start].lower == "the" or "A" in tags[other.start : other.head]
    yield Draft(phrase, "is" if definite else "is a", other, 0.8 if article else 0.7)


def _with_preposition(sentence: Sentence, phrase: Phrase, position: int) -> tuple[Phrase, int]:
    if sentence.kinds[position + 1] != "n":
        return phrase, position
    following, after = noun_phrase(sentence, position + 1)
    return Phrase(phrase.start, following.end, phrase.head), after


def _titled(sentence: Sentence, index: int) -> Iterator[Draft]:
    """The physicist Marie Curie: a noun for a person right before the name."""
    name = name_within(sentence, index)
    if name is not None:
        chunk = sentence.chunks[index]
        if sentence.tags[chunk.start] == "S" or _is_plural(sentence.tokens[name.start - 1].lower):
            return
        role = Phrase(chunk.start, name.start, name.start)
        yield Draft(name, "is" if "A" in sentence.tags[role.start : role.end] else "is a", role, 0.7)


def _is_plural(noun: str) -> bool:
    """The directors Ron Clements and John Musker: a role of several."""
    return noun.endswith("s") and not noun.endswith("ss")


def name_within(sentence: Sentence, index: int) -> Phrase | None:
    """The proper name that ends chunk `index` where a noun for a person stands right before it."""
    chunk = sentence.chunks[index]
    start = chunk.end
    while start > chunk.start and sentence.tags[start - 1] == "P":
        start -= 1
    if start in (chunk.start, chunk.end) or sentence.tags[start - 1] != "N":
        return None
    if (
        "A" in sentence.tags[chunk.start : chunk.end]
        or type_of_noun(sentence.tokens[start - 1].lower) != "Person"
    ):
        return None
    return Phrase(start, chunk.end, chunk.end)


def _bracket(sentence: Sentence, phrase: Phrase, opening: int) -> Iterator[Draft]:
    """World Health Organization (WHO); Marie Curie (7 November 1867 – 4 July 1934)."""
    closing = next((i for i in range(opening + 1, len(sentence.chunks)) if sentence.kinds[i] == ")"), None)
    if closing is None or not _is_name(sentence, phrase):
        return
    first, last = sentence.chunks[opening].end, sentence.chunks[closing].start
    if first >= last:
        return
    inside = sentence.words(first, last)
    name = sentence.words(phrase.start, phrase.end)
    if last - first == 1 and _ALIAS.match(inside) and _abbreviates(inside, name):
        yield Draft(phrase, "also known as", Phrase(first, last, last), 0.95)
        return
    if phrase.start == 0 or type_of_name(clean_label(name)) == "Person":
        yield from _life(phrase, inside)


def _abbreviates(short: str, name: str) -> bool:
    """Whether the capitals of `short` are, in order, initials of `name`."""
    initials = iter("".join(word[0] for word in re.findall(r"[^\W_]+", name)).upper())
    return all(letter in initials for letter in short.upper() if letter.isalpha() and letter.isupper())


def _life(phrase: Phrase, inside: str) -> Iterator[Draft]:
    dates = list(dates_in(inside))
    if _BORN.match(inside) and dates:
        yield Draft(
            phrase, "was born on" if len(dates[0].lexical) == 10 else "was born in", dates[0].label, 0.9
        )
    elif (
        len(dates) == 2
        and len(dates[0].lexical) == 10 == len(dates[1].lexical)
        and re.search(r"[–—-]|to", inside)
    ):
        yield Draft(phrase, "was born on", dates[0].label, 0.9)
        yield Draft(phrase, "died on", dates[1].label, 0.9)
