"""The event that a question asks the time or place of, where the sentence of an answer tells of two.

Of "stolen in 1962 and found eleven years later" 1962 is no answer to when it was found.
"""

from __future__ import annotations

from collections.abc import Iterator

from provgraph.derivation.evidence import Support
from provgraph.derivation.result import Derived
from provgraph.reading.syntax import ParsedSentence, Token

_LIGHT = frozenset("be have do become get".split())


def is_of_event_asked(found: Derived, question: ParsedSentence) -> bool:
    """Whether the words of an answer do not belong to another verb of their sentence, coordinated with the one that the
    question asks about."""
    asked = {each.lemma.casefold() for each in question.tokens if each.pos == "VERB"} - _LIGHT
    ending = [support for step in found.steps[-1:] for support in step.supports]
    return not ending or any(not _is_of_other(each, asked) for each in ending)


def _is_of_other(support: Support, asked: set[str]) -> bool:
    start = support.words.start
    sentence = next((s for s in support.passage.parsed if s.start <= start < s.end), None)
    token = next((t for t in sentence.tokens if t.start <= start < t.end), None) if sentence else None
    if sentence is None or token is None:
        return False
    own = next((t for t in _above(token, sentence) if t.pos == "VERB"), None)
    told = [t for t in sentence.tokens if t.pos == "VERB" and t.lemma.casefold() in asked]
    if own is None or not told or own in told or own.lemma.casefold() in asked:
        return False
    return all(
        _are_coordinated(own, each, sentence) and not own.index < each.index < token.index for each in told
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
