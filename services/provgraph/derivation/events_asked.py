"""The event that a question asks the time or place of, where the sentence of an answer tells of two.

Of "stolen in 1962 and found eleven years later" 1962 is no answer to when it was found.
"""

from __future__ import annotations

from collections.abc import Iterator

from provgraph.derivation.evidence import Support
from provgraph.derivation.result import Derived
from provgraph.language import wordnet
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.verdicts.converses import roles

_LIGHT = frozenset("be have do become get".split())


def is_of_event_asked(found: Derived, question: ParsedSentence) -> bool:
    """Whether the words of an answer do not belong to another verb of their sentence, coordinated with the one that the
    question asks about."""
    asked = {token.lemma.casefold() for token in question.tokens if token.pos == "VERB"} - _LIGHT
    ending = [support for step in found.steps[-1:] for support in step.supports]
    opening = next((t for t in question.tokens if t.text.casefold() in ("who", "which", "what")), None)
    is_doer = opening is not None and opening.relation == "nsubj"
    return not ending or any(not _is_of_other(support, asked, is_doer=is_doer) for support in ending)


def _is_of_other(support: Support, asked: set[str], *, is_doer: bool) -> bool:
    start = support.words.start
    sentence = next((s for s in support.passage.parsed if s.start <= start < s.end), None)
    token = next((t for t in sentence.tokens if t.start <= start < t.end), None) if sentence else None
    if sentence is None or token is None:
        return False
    own = next((t for t in _above(token, sentence) if t.pos == "VERB"), None)
    tokens = [t for t in sentence.tokens if t.pos == "VERB" and _says_one_of(t, asked)]
    if own is None or not tokens or own in tokens or (is_doer and _tells_the_other_side(own, asked)):
        return False
    return all(
        (_are_coordinated(own, each, sentence) and not own.index < each.index < token.index)
        or _is_aside(own, each, sentence)
        for each in tokens
    )


def _says_one_of(verb: Token, asked: set[str]) -> bool:
    """Whether a verb is one of those asked about, or who did it did that too: who was killed died."""
    lemma = verb.lemma.casefold()
    return any(
        lemma == each or wordnet.same(lemma, each, "v") or wordnet.is_kind_of(lemma, each, "v", 1, 1)
        for each in asked
    )


def _tells_the_other_side(verb: Token, asked: set[str]) -> bool:
    """Whether a verb tells what is asked from its other side: what was bought from somebody, that one sold."""
    return any(roles(each, verb.lemma.casefold()) is not None for each in asked)


def _is_aside(own: Token, token: Token, sentence: ParsedSentence) -> bool:
    """Whether a verb begins a clause that only describes a thing, and the other is not in it."""
    return (
        own.relation.startswith("acl")
        and token not in sentence.subtree(own)
        and own not in _above(token, sentence)
    )


def _above(token: Token, sentence: ParsedSentence) -> Iterator[Token]:
    while token.head >= 0:
        token = sentence.tokens[token.head]
        yield token


def _are_coordinated(one: Token, other: Token, sentence: ParsedSentence) -> bool:
    return other in _joined(one, sentence) or one in _joined(other, sentence)


def _joined(token: Token, sentence: ParsedSentence) -> Iterator[Token]:
    """The words before it with which a word is coordinated."""
    while token.relation == "conj" and token.head >= 0:
        token = sentence.tokens[token.head]
        yield token
