"""Trees put right where a parser's mistake is plain from the tree itself, so that the rules need not know of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from provgraph.language import wordnet
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.reading.trees import is_tree

_LOOSE: Final = frozenset({"nmod", "obl", "dep", "nmod:npmod", "obl:npmod", "obl:tmod", "appos"})

_SPEECH: Final = frozenset(
    "say add tell note write report explain announce state claim argue warn reply".split()
)
_BEFORE_SPEECH: Final = frozenset({",", '"', "”", "''", "?", "!"})


def repaired(sentence: ParsedSentence) -> ParsedSentence:
    """The sentence with one subject to a verb, and passives with their helping verb; itself where all is well."""
    sentence = _with_abbreviations(sentence)
    changes: dict[int, tuple[int, str]] = {}
    for head in sentence.tokens:
        children = sentence.children[head.index]
        if len(children) > 1:
            subjects = [c for c in children if c.relation.startswith("nsubj")]
            if len(subjects) > 1:
                changes.update(_second_subject(sentence, subjects))
        if head.pos == "VERB" and head.lemma.lower() in _SPEECH:
            changes.update(_speaker_after(sentence, head))
        if head.pos == "VERB" and head.tag in ("VBN", "VBD"):
            changes.update({c.index: (head.index, "aux:pass") for c in children if c.relation == "cop"})
    for token in sentence.tokens:
        if token.pos == "PROPN" and token.relation in _LOOSE:
            changes.update(_name_after_noun(sentence, token))
        if token.relation == "appos" and token.pos == "NOUN":
            changes.update(_person_beside_place(sentence, token))
    if not changes:
        return sentence
    tokens = [
        replace(t, head=changes[t.index][0], relation=changes[t.index][1]) if t.index in changes else t
        for t in sentence.tokens
    ]
    return (
        ParsedSentence(tuple(tokens), sentence.start, sentence.end)
        if is_tree([t.head for t in tokens])
        else sentence
    )


def _with_abbreviations(sentence: ParsedSentence) -> ParsedSentence:
    """A pronoun in capitals after an article is an abbreviation: "The WHO"; itself where there is none."""
    tokens = [
        replace(token, pos="PROPN", tag="NNP", lemma=token.text, entity=token.entity or "B-ORGANIZATION")
        if token.pos == "PRON"
        and len(token.text) > 1
        and token.text.isupper()
        and before.text.lower() == "the"
        else token
        for before, token in zip((sentence.tokens[:1] + sentence.tokens), sentence.tokens, strict=False)
    ]
    if tuple(tokens) == sentence.tokens:
        return sentence
    return ParsedSentence(tuple(tokens), sentence.start, sentence.end)


def _name_after_noun(sentence: ParsedSentence, name: Token) -> dict[int, tuple[int, str]]:
    """ "The director of the film Red Sand" with Sand hung on "director": a name right after a noun is its name."""
    first = sentence.edges(name)[0]
    before = sentence.tokens[first - 1] if first else name
    cased = any(child.relation == "case" for child in sentence.children[name.index])
    definite = any(child.relation == "det" for child in sentence.children[before.index])
    if cased or not definite or before.pos != "NOUN" or before.index == name.head:
        return {}
    joined = (c for c in sentence.children[name.index] if c.relation == "conj")
    described = (c for c in joined if any(each.relation == "det" for each in sentence.children[c.index]))
    return {name.index: (before.index, "appos")} | {c.index: (before.index, "conj") for c in described}


def _person_beside_place(sentence: ParsedSentence, noun: Token) -> dict[int, tuple[int, str]]:
    """ "She was born in Graz, the daughter of …": no place is a daughter, so that the subject is."""
    place = sentence.tokens[noun.head]
    verb = sentence.tokens[place.head] if place.head >= 0 else place
    is_person = "noun.person" in wordnet.fields(noun.lemma.lower(), "n", 1)
    if not is_person or place.entity[2:] == "PERSON" or not place.relation.startswith("obl"):
        return {}
    subjects = [c for c in sentence.children[verb.index] if c.relation.startswith("nsubj")]
    return {noun.index: (subjects[0].index, "appos")} if subjects else {}


def _speaker_after(sentence: ParsedSentence, verb: Token) -> dict[int, tuple[int, str]]:
    """ "The mill is old, said Ada Quist" with Quist as what is said: a name right after such a verb is who says it."""
    children = sentence.children[verb.index]
    spoken = verb.index > 0 and sentence.tokens[verb.index - 1].text in _BEFORE_SPEECH
    behind = [c for c in children if c.index > verb.index and c.pos != "PUNCT"]
    if not spoken or len(behind) != 1 or any(c.relation.startswith("nsubj") for c in children):
        return {}
    speaker = behind[0]
    if speaker.relation not in ("obj", "obl:npmod", "nmod", "dep") or speaker.pos not in ("PROPN", "PRON"):
        return {}
    changes = {speaker.index: (verb.index, "nsubj")}
    return changes | ({verb.index: (verb.head, "parataxis")} if verb.relation == "conj" else {})


def _second_subject(sentence: ParsedSentence, subjects: Sequence[Token]) -> dict[int, tuple[int, str]]:
    """ "Director Ada Novak left", "his brother, the chemist Tom Reed, left": one is a title or apposition."""
    first, second = subjects[:2]
    start = sentence.edges(second)[0]
    end = sentence.edges(first)[1]
    between = sentence.tokens[end + 1 : start]
    if (
        first.pos not in ("NOUN", "PROPN")
        or second.pos not in ("NOUN", "PROPN")
        or first.index > second.index
    ):
        return {}
    if not between and first.pos == "NOUN" and second.pos == "PROPN":
        return {first.index: (second.index, "compound")}
    if all(token.text == "," for token in between) or (first.pos == "NOUN" and not between):
        return {second.index: (first.index, "appos")}
    return {}
