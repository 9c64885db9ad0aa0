"""Subjects that were taken for adjectives: "The tenant pays for heating"; WordNet has "tenant" as a noun alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from provgraph.language import wordnet
from provgraph.reading.syntax import Token


def with_subjects(tokens: Sequence[Token]) -> list[Token]:
    """The tokens of a sentence, a noun right before its verb as the verb's subject; themselves where all is well."""
    found = list(tokens)
    for token in tokens:
        if token.tag != "JJ" or token.relation != "amod" or token.head != token.index + 1:
            continue
        if _is_noun_alone(token):
            _make_subject(found, token, tokens)
    return found


def _is_noun_alone(token: Token) -> bool:
    word = token.text.lower()
    return wordnet.known(word, "n") and not wordnet.known(word, "a")


def _make_subject(found: list[Token], noun: Token, tokens: Sequence[Token]) -> None:
    verb = tokens[noun.head]
    if verb.pos != "VERB":
        lemma = verb.text.lower().removesuffix("s")
        alone = not any(each.pos in ("VERB", "AUX") for each in tokens)
        if not (alone and verb.head < 0 and verb.tag == "NNS" and wordnet.known(lemma, "v")):
            return
        found[verb.index] = replace(verb, tag="VBZ", pos="VERB", lemma=lemma)
        for each in tokens:
            if each.head == verb.index and each.relation == "nmod":
                found[each.index] = replace(found[each.index], relation="obl")
    found[noun.index] = replace(noun, tag="NN", pos="NOUN", relation="nsubj")
    for each in tokens:
        if each.head == verb.index and each.index < noun.index and each.relation in ("det", "nmod:poss"):
            found[each.index] = replace(found[each.index], head=noun.index)
