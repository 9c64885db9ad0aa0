"""The event that a question asks the time or place of, where the sentence of an answer tells of two.

Of "stolen in 1962 and found eleven years later" 1962 is no answer to when it was found; nor is when something was built
to when it was rebuilt.
"""

from __future__ import annotations

from collections.abc import Iterator

from provgraph.derivation.evidence import Support
from provgraph.derivation.result import Derived
from provgraph.language import wordnet
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.verdicts.converses import roles

_LIGHT = frozenset("be have do become get".split())
_CHANGING = tuple(f"{prefix}{mark}" for prefix in ("re", "un", "dis", "de", "mis") for mark in ("", "-"))
"""Beginnings that make another event of a verb: to rebuild, undo, dismount."""
_DESCRIBING = ("amod", "acl", "acl:relcl")
_SHORTEST = 4


def main_verbs(question: ParsedSentence) -> set[str]:
    """The lemmas of the verbs that ask; all, where every one only describes a thing ("the stolen desk")."""
    verbs = [token for token in question.tokens if token.pos == "VERB"]
    asking = [verb for verb in verbs if not _only_describes(verb, question)]
    return {verb.lemma.casefold() for verb in asking or verbs} - _LIGHT


def _only_describes(verb: Token, question: ParsedSentence) -> bool:
    return any(token.relation in _DESCRIBING for token in (verb, *question.above(verb)))


def is_changed(one: str, other: str) -> bool:
    """Whether one lemma is the other with a beginning that makes another event of it: "rebuild", "build"."""
    first, second = sorted((one.casefold(), other.casefold()), key=len)
    return any(second == beginning + first for beginning in _CHANGING)


def is_of_event_asked(found: Derived, question: ParsedSentence) -> bool:
    """Whether the words of an answer do not belong to another verb of their sentence, coordinated with the one that the
    question asks about."""
    asked = main_verbs(question)
    ending = found.ending
    opening = next((t for t in question.tokens if t.text.casefold() in ("who", "which", "what")), None)
    is_doer = opening is not None and opening.relation == "nsubj"
    return not ending or any(not _is_of_other(support, asked, is_doer=is_doer) for support in ending)


def _is_of_other(support: Support, asked: set[str], *, is_doer: bool) -> bool:
    sentence, token = support.parsed, support.token
    if sentence is None or token is None:
        return False
    if has_only_changed(sentence, asked) or _has_only_other_work(sentence, asked):
        return True
    own = next((t for t in sentence.above(token) if t.pos == "VERB"), None)
    tokens = [t for t in sentence.tokens if t.pos == "VERB" and _says_one_of(t, asked)]
    if own is None or not tokens or own in tokens or (is_doer and _tells_the_other_side(own, asked)):
        return False
    top = next((t for t in (token, *sentence.above(token)) if t.head == own.index), token)
    if (
        is_doer
        and top.relation.startswith("nsubj")
        and any(_shares_subject(t, own, sentence) for t in tokens)
    ):
        return False
    if any(_share_what_follows(each, own, token, sentence) for each in tokens):
        return False
    return all(
        (_are_coordinated(own, each, sentence) and not own.index < each.index < token.index)
        or _is_aside(own, each, sentence)
        for each in tokens
    )


def _shares_subject(verb: Token, before: Token, sentence: ParsedSentence) -> bool:
    """Whether who does what a verb says is the subject of one before it: "a pipe burst and flooded the cellar"."""
    has_own = any(child.relation.startswith("nsubj") for child in sentence.children[verb.index])
    return before in _joined(verb, sentence) and not has_own


def _share_what_follows(one: Token, other: Token, token: Token, sentence: ParsedSentence) -> bool:
    """Whether what stands behind the last of joined verbs is said of both: "written and directed by Ada Novak"."""
    between = sentence.tokens[one.index + 1 : other.index]
    joins = all(t.text in (",", "and", "or") or t.pos == "VERB" for t in between)
    return one.index < other.index < token.index and joins


def has_only_changed(sentence: ParsedSentence, asked: set[str]) -> bool:
    """Whether a sentence has a verb asked about with another beginning, or without its own, and no word for it."""
    lemmas = {token.lemma.casefold() for token in sentence.tokens}
    changed = {each for each in asked for lemma in lemmas if is_changed(each, lemma)}
    return any(
        not any(
            lemma.startswith(each[: max(_SHORTEST, len(each) - 1)]) or wordnet.same(lemma, each, "v", 1)
            for lemma in lemmas
            if not is_changed(lemma, each)
        )
        for each in changed
    )


_OTHER_WORK = {"write": ("translat", "illustrat")}
"""What others do to a work: who translated a book did not write it."""


def _has_only_other_work(sentence: ParsedSentence, asked: set[str]) -> bool:
    lemmas = {token.lemma.casefold() for token in sentence.tokens}
    return any(
        each not in lemmas and any(lemma.startswith(other) for lemma in lemmas for other in others)
        for each, others in _OTHER_WORK.items()
        if each in asked
    )


def _says_one_of(verb: Token, asked: set[str]) -> bool:
    """Whether a verb is one of those asked about, or who did it did that too: who was killed died."""
    lemma = verb.lemma.casefold()
    return any(
        lemma == each or wordnet.same(lemma, each, "v") or wordnet.is_kind_of(lemma, each, "v", 1, 1)
        for each in asked
        if not is_changed(lemma, each)
    )


def _tells_the_other_side(verb: Token, asked: set[str]) -> bool:
    """Whether a verb tells what is asked from its other side: what was bought from somebody, that one sold."""
    return any(roles(each, verb.lemma.casefold()) is not None for each in asked)


def _is_aside(own: Token, token: Token, sentence: ParsedSentence) -> bool:
    """Whether a verb begins a clause that only describes a thing, and the other is not in it."""
    return (
        own.relation.startswith("acl")
        and token not in sentence.subtree(own)
        and own not in sentence.above(token)
    )


def _are_coordinated(one: Token, other: Token, sentence: ParsedSentence) -> bool:
    return other in _joined(one, sentence) or one in _joined(other, sentence)


def _joined(token: Token, sentence: ParsedSentence) -> Iterator[Token]:
    """The words before it with which a word is coordinated."""
    while token.relation == "conj" and token.head >= 0:
        token = sentence.tokens[token.head]
        yield token
