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
    subjects = list(tokens)
    if (at := _hidden_verb(tokens)) > 0:
        _make_verb(subjects, at)
        return subjects
    _part_from_year(subjects)
    for token in tokens:
        if token.tag != "JJ" or token.relation != "amod" or token.head != token.index + 1:
            continue
        if _is_noun_alone(token) and tokens[token.head].pos == "VERB":
            _make_subject(subjects, token, token.head)
    return subjects


def _part_from_year(tokens: list[Token]) -> None:
    """Of "In 1990 parliament passed the law" the parliament is the subject, and no parliament of a number."""
    if (
        len(tokens) < 5
        or tokens[0].tag != "IN"
        or not (tokens[1].text.isdigit() and len(tokens[1].text) == 4)
    ):
        return
    year, noun = tokens[1], tokens[tokens[1].head]
    verb = tokens[noun.head]
    free = not any(token.head == verb.index and token.relation.startswith("nsubj") for token in tokens)
    if (
        year.relation != "nummod"
        or noun.relation != "obl"
        or verb.pos != "VERB"
        or noun.index > verb.index
        or not free
    ):
        return
    passive = any(token.head == verb.index and token.relation == "aux:pass" for token in tokens)
    tokens[1] = replace(year, head=verb.index, relation="obl")
    tokens[0] = replace(tokens[0], head=1)
    tokens[noun.index] = replace(noun, relation="nsubj:pass" if passive else "nsubj")


def _is_noun_alone(token: Token) -> bool:
    word = token.text.lower()
    return wordnet.known(word, "n") and not wordnet.known(word, "a")


def _hidden_verb(tokens: Sequence[Token]) -> int:
    """The one word that can be the verb of a whole sentence without one, -1 where there is none or a choice."""
    if len(tokens) < 5 or tokens[-1].text != "." or any(token.pos in ("VERB", "AUX") for token in tokens):
        return -1
    found = [token.index for token in tokens[2:-2] if _may_be_verb(token, tokens)]
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


def _make_verb(tokens: list[Token], at: int) -> None:
    """Makes a noun the verb of the sentence, with the noun before it, or that on which it hung, as its subject."""
    verb, before = tokens[at], tokens[at - 1]
    if any(token.head == at and token.relation == "nsubj" for token in tokens):
        tokens[before.index] = replace(before, relation="advmod") if before.pos == "ADV" else before
    else:
        _make_subject(tokens, before, at)
    if verb.head >= 0:
        tokens[before.index] = replace(tokens[before.index], head=verb.head, relation=verb.relation)
        _hang_on(tokens, at)
    tokens[at] = replace(verb, tag="VBZ", pos="VERB", lemma=_base(verb), head=-1, relation="root")
    for token in tokens:
        if token.head == at and token.relation == "nmod" and token.index > at:
            tokens[token.index] = replace(token, relation="obl")


def _hang_on(tokens: list[Token], at: int) -> None:
    """Hangs what was the root, and what follows the verb below it, on the verb."""
    root = next(token for token in tokens if token.head < 0)
    tokens[root.index] = replace(root, head=at, relation="nsubj")
    for token in tokens:
        if token.head == root.index and token.index > at:
            tokens[token.index] = replace(token, head=at)


def _make_subject(tokens: list[Token], noun: Token, verb: int) -> None:
    tokens[noun.index] = replace(noun, tag="NN", pos="NOUN", relation="nsubj")
    for token in tokens:
        if (
            token.head == verb
            and token.index < noun.index
            and token.relation in ("det", "nmod:poss", "case", "amod")
        ):
            tokens[token.index] = replace(token, head=noun.index)
