"""What a sentence says only perhaps, as one of several, or in another order than a claim that has all of its words.

"Burnt down, probably because of a fire" does not say that a fire was why; "both the landlord and the office" is not
"either of them"; and what was done before something was not done after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.verdicts.claim_readings import Reading
from provgraph.verdicts.covers import Cover
from provgraph.verdicts.one_clause import clause_head
from provgraph.verdicts.tree_objections import DIRECTIONS

_PERHAPS: Final = frozenset(
    "perhaps probably possibly presumably maybe supposedly allegedly reportedly apparently purportedly "
    "conceivably ostensibly arguably".split()
)
_OF_PHRASE: Final = frozenset("case mark advmod det amod cc".split())
"""How a word hangs on the word whose phrase it opens."""
_OR: Final = frozenset(("or", "either"))
_LICENCES: Final = frozenset("may can could might".split())
_NEAR: Final = 6
_ORDERING: Final = frozenset("after before until till since once".split())


def leaves_open(reading: Reading) -> bool:
    """Whether the best sentence leaves open, in one of those ways, what the claim says."""
    sentence = reading.best.sentence
    if sentence is None:
        return False
    claimed = [token for each in reading.claim.meaning.parsed for token in each.tokens]
    words = {token.text.casefold() for token in claimed}
    said, at = sentence.parsed, reading.best.at
    perhaps = words.isdisjoint(_PERHAPS) and _is_said_perhaps(said, at)
    if perhaps or _is_of_either(words, said, at) or any(_turned_orders(reading, reading.best, said)):
        return True
    return any(_is_on_other_side(reading, reading.best, said))


def _is_said_perhaps(said: ParsedSentence, at: set[int]) -> bool:
    """Whether one of the words that meet the claim, or what opens its phrase, is said with "perhaps"."""
    return any(
        token.text.casefold() in _PERHAPS and not at.isdisjoint(_spoken_of(token, said))
        for token in said.tokens
    )


def _spoken_of(token: Token, said: ParsedSentence) -> Iterator[int]:
    """The word that one hangs on, and those that this opens the phrase of."""
    index = token.head
    while index >= 0:
        yield index
        index = said.tokens[index].head if said.tokens[index].relation in _OF_PHRASE else -1


def _is_of_either(words: set[str], said: ParsedSentence, at: set[int]) -> bool:
    """Whether one of the two has "or" where the other has both, or one: not in "may be paid by card or in cash", of
    which each is allowed."""
    said_either = any(token.text.casefold() in _OR for token in said.tokens)
    if not words.isdisjoint(_OR):
        return not said_either
    allowed = any(token.text.casefold() in _LICENCES for token in said.tokens)
    return said_either and not allowed and any(not at.isdisjoint(pair) for pair in _alternatives(said))


def _alternatives(said: ParsedSentence) -> Iterator[tuple[int, int]]:
    """Two words that "or" joins."""
    for token in said.tokens:
        joined = any(c.relation == "cc" and c.text.casefold() == "or" for c in said.children[token.index])
        if token.relation == "conj" and joined:
            yield token.head, token.index


def _turned_orders(reading: Reading, cover: Cover, said: ParsedSentence) -> Iterator[bool]:
    """For each clause of the claim that "after" or the like begins, whether the sentence has another order: that word
    does not begin the clause that meets it, or begins the one that meets the clause around it."""
    for parsed in reading.claim.meaning.parsed:
        for verb in parsed.tokens:
            mark = _mark(verb, parsed)
            if not mark or verb.head < 0:
                continue
            inner, outer = (_met_clause(index, parsed, cover, said) for index in (verb.index, verb.head))
            if inner >= 0 and outer >= 0:
                yield _mark(said.tokens[inner], said) != mark or inner == outer


def _is_on_other_side(reading: Reading, cover: Cover, said: ParsedSentence) -> Iterator[bool]:
    """For each part that the claim has behind "above" or the like, whether the sentence has it behind the opposite."""
    for unit, link in zip(cover.units, cover.links, strict=True):
        if link is not None and link.at >= 0:
            parsed = reading.claim.sentence_at(unit.start)
            claimed = _direction_before(unit.head.index, parsed)
            yield claimed != "" and _direction_before(link.at, said) in DIRECTIONS[claimed]


def _direction_before(index: int, sentence: ParsedSentence) -> str:
    """The nearest word like "above" or "into" a few words before one, with no verb between; empty for none."""
    for token in reversed(sentence.tokens[max(0, index - _NEAR) : index]):
        if token.text.casefold() in DIRECTIONS:
            return token.text.casefold()
        if token.pos == "VERB" and token.tag != "VBN":
            return ""
    return ""


def _mark(verb: Token, sentence: ParsedSentence) -> str:
    """The word of time that begins a clause, empty for other clauses."""
    if not verb.relation.startswith("advcl"):
        return ""
    marks = (
        c.text.casefold() for c in sentence.children[verb.index] if c.relation in ("mark", "case", "advmod")
    )
    return next((mark for mark in marks if mark in _ORDERING), "")


def _met_clause(index: int, claim: ParsedSentence, cover: Cover, said: ParsedSentence) -> int:
    """The head of the clause of the sentence that meets a verb of the claim, -1 for none."""
    start = claim.tokens[index].start
    for unit, link in zip(cover.units, cover.links, strict=True):
        if link is not None and link.at >= 0 and any(token.start == start for token in unit.tokens):
            return clause_head(link.at, said)
    return -1
