"""A sentence with a noun of the question in the place of a pronoun that may stand for it: "It is held by the bank"
after a sentence about a deposit, to a question about the deposit.

The reading knows what stands for names; for what has none, this is tried where a statement is judged by the sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.derivation.asking import Asking
from provgraph.derivation.evidence import ReadPassage
from provgraph.derivation.names import holds
from provgraph.language import wordnet
from provgraph.reading.entity_types import gender_of_name, type_of_noun
from provgraph.reading.syntax import ParsedSentence, Token

_ONE: Final = frozenset("it its this".split())
_SEVERAL: Final = frozenset("they them their these".split())
_PEOPLE: Final = frozenset("he she him her his".split())
_OWNING: Final = frozenset("its their his her".split())
_BEFORE: Final = 2


@dataclass(frozen=True)
class _Antecedent:
    """`behind` is where it ends: within a sentence it stands before its pronoun, which is no subject."""

    text: str
    is_plural: bool
    is_person: bool
    is_subject: bool
    is_name: bool = False
    behind: int = -1


def with_noun_put(asked: Asking, passage: ReadPassage, sentence: ParsedSentence) -> str:
    """The sentence with the noun; empty where it has no such pronoun, or nothing before it is named in the question."""
    at = next((i for i, each in enumerate(passage.parsed) if each.start == sentence.start), 0)
    wanted = {word.lemma for word in asked.words if word.part in ("n", None)}
    before = passage.parsed[max(at - _BEFORE, 0) : at]
    said = {token.lemma.casefold() for token in sentence.tokens}
    nouns = [antecedent for earlier in before for antecedent in _named(earlier, wanted - said)]
    nouns.sort(key=lambda antecedent: antecedent.is_subject)
    nouns += [*_named(sentence, wanted), *_names(asked, passage, before, sentence)]
    for token in sentence.tokens:
        fitting = [noun for noun in nouns if _may_mean(sentence, token, noun)]
        if fitting:
            return _put(passage.text, sentence, token, fitting[-1].text)
    return ""


def _names(
    asked: Asking, passage: ReadPassage, before: Sequence[ParsedSentence], sentence: ParsedSentence
) -> Sequence[_Antecedent]:
    """The names of the question that stand before the sentence, or over it, and not in it."""
    text = passage.text[sentence.start : sentence.end]
    above = passage.text[before[0].start : sentence.start] if before else ""
    names = [n for n in asked.names if not holds(text, n) and (holds(above, n) or holds(passage.title, n))]
    return [_Antecedent(n, False, bool(gender_of_name(n)), True, is_name=True) for n in names]


def _named(sentence: ParsedSentence, wanted: set[str]) -> Sequence[_Antecedent]:
    return [
        _Antecedent(
            token.text if token.pos == "PROPN" else f"the {token.text}",
            token.tag in ("NNS", "NNPS"),
            wordnet.is_person(token.lemma.casefold()) or token.entity.endswith("PERSON"),
            token.relation.startswith("nsubj"),
            behind=token.end,
        )
        for token in sentence.tokens
        if token.pos in ("NOUN", "PROPN") and token.lemma.casefold() in wanted
    ]


def _may_mean(sentence: ParsedSentence, token: Token, noun: _Antecedent) -> bool:
    word = token.text.casefold()
    if noun.is_name and _is_description(sentence, token):
        return True
    if token.pos not in ("PRON", "DET") or token.relation in ("det", "expl"):
        return False
    if noun.behind > token.start or (noun.behind >= sentence.start and token.relation.startswith("nsubj")):
        return False
    kinds = _SEVERAL if noun.is_plural else _PEOPLE if noun.is_person else _ONE
    return word in kinds


def _is_description(sentence: ParsedSentence, token: Token) -> bool:
    """Whether it is "the" of two words that stand for a name told before: "the firm"."""
    after = sentence.tokens[token.index + 1] if token.index + 1 < len(sentence.tokens) else None
    if after is None or token.text.casefold() != "the" or token.head != after.index or after.pos != "NOUN":
        return False
    told_more = {child.relation.partition(":")[0] for child in sentence.children[after.index]} - {
        "det",
        "case",
    }
    return not told_more and type_of_noun(after.lemma.casefold()) in ("Organization", "Work", "Person")


def _put(text: str, sentence: ParsedSentence, token: Token, noun: str) -> str:
    ending = "'s" if token.text.casefold() in _OWNING and token.relation != "obj" else ""
    last = sentence.tokens[token.index + 1] if token.text.casefold() == "the" else token
    words = f"{text[sentence.start : token.start]}{noun}{ending}{text[last.end : sentence.end]}"
    return f"{words[:1].upper()}{words[1:]}"
