"""Subjects taken for parts of the word behind them: "The tenant pays for heating", "The painting hangs in Graz".

WordNet has "tenant" as a noun alone, and a sentence with a full stop has a verb.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from provgraph.language import wordnet
from provgraph.reading.syntax import Token

_FOLLOWING: Final = frozenset("DT IN TO CD PRP PRP$ NNP RB".split())
"""What follows a verb more often than the last noun of a heading."""


def with_subjects(tokens: Sequence[Token]) -> list[Token]:
    """The tokens of a sentence, a noun right before its verb as the verb's subject; themselves where all is well."""
    found = list(tokens)
    if (at := _hidden_verb(tokens)) > 0:
        _make_verb(found, at)
        return found
    _part_from_year(found)
    for token in tokens:
        if token.tag != "JJ" or token.relation != "amod" or token.head != token.index + 1:
            continue
        if _is_noun_alone(token) and tokens[token.head].pos == "VERB":
            _make_subject(found, token, token.head)
    return found


def _part_from_year(found: list[Token]) -> None:
    """Of "In 1990 parliament passed the law" the parliament is the subject, and no parliament of a number."""
    if len(found) < 5 or found[0].tag != "IN" or not (found[1].text.isdigit() and len(found[1].text) == 4):
        return
    year, noun = found[1], found[found[1].head]
    verb = found[noun.head]
    free = not any(each.head == verb.index and each.relation.startswith("nsubj") for each in found)
    if (
        year.relation != "nummod"
        or noun.relation != "obl"
        or verb.pos != "VERB"
        or noun.index > verb.index
        or not free
    ):
        return
    passive = any(each.head == verb.index and each.relation == "aux:pass" for each in found)
    found[1] = replace(year, head=verb.index, relation="obl")
    found[0] = replace(found[0], head=1)
    found[noun.index] = replace(noun, relation="nsubj:pass" if passive else "nsubj")


def _is_noun_alone(token: Token) -> bool:
    word = token.text.lower()
    return wordnet.known(word, "n") and not wordnet.known(word, "a")


def _hidden_verb(tokens: Sequence[Token]) -> int:
    """The one word that can be the verb of a whole sentence without one, -1 where there is none or a choice."""
    if len(tokens) < 5 or tokens[-1].text != "." or any(each.pos in ("VERB", "AUX") for each in tokens):
        return -1
    found = [each.index for each in tokens[2:-2] if _may_be_verb(each, tokens)]
    return found[0] if len(found) == 1 and tokens[0].tag == "DT" else -1


def _may_be_verb(token: Token, tokens: Sequence[Token]) -> bool:
    before, after = tokens[token.index - 1], tokens[token.index + 1]
    noun = before.tag == "NN" or (before.tag == "JJ" and _is_noun_alone(before))
    below = before.head == token.index and before.relation in ("amod", "compound")
    if any(each.head == token.index and each.relation == "nsubj" for each in tokens):
        noun = below = before.tag in ("RB", "RBR", "NN")
    verb = token.tag == "NNS" and wordnet.known(_base(token), "v")
    return noun and below and verb and after.tag in _FOLLOWING and after.text != "of"


def _base(token: Token) -> str:
    return token.text.lower().removesuffix("s")


def _make_verb(found: list[Token], at: int) -> None:
    """Makes a noun the verb of the sentence, with the noun before it, or that on which it hung, as its subject."""
    verb, before = found[at], found[at - 1]
    if any(each.head == at and each.relation == "nsubj" for each in found):
        found[before.index] = replace(before, relation="advmod") if before.pos == "ADV" else before
    else:
        _make_subject(found, before, at)
    if verb.head >= 0:
        found[before.index] = replace(found[before.index], head=verb.head, relation=verb.relation)
        _hang_on(found, at)
    found[at] = replace(verb, tag="VBZ", pos="VERB", lemma=_base(verb), head=-1, relation="root")
    for each in found:
        if each.head == at and each.relation == "nmod" and each.index > at:
            found[each.index] = replace(each, relation="obl")


def _hang_on(found: list[Token], at: int) -> None:
    """Hangs what was the root, and what follows the verb below it, on the verb."""
    root = next(each for each in found if each.head < 0)
    found[root.index] = replace(root, head=at, relation="nsubj")
    for each in found:
        if each.head == root.index and each.index > at:
            found[each.index] = replace(each, head=at)


def _make_subject(found: list[Token], noun: Token, verb: int) -> None:
    found[noun.index] = replace(noun, tag="NN", pos="NOUN", relation="nsubj")
    for each in found:
        if (
            each.head == verb
            and each.index < noun.index
            and each.relation in ("det", "nmod:poss", "case", "amod")
        ):
            found[each.index] = replace(each, head=noun.index)
