"""How a clause is meant beside its denial: as a duty or a licence, in which tense, and whether it is so no more."""

from __future__ import annotations

from itertools import pairwise
from typing import Final, TypedDict

from provgraph.reading.clauses import Clause
from provgraph.reading.phrases import Phrases
from provgraph.reading.syntax import ParsedSentence, Token

_DUTIES: Final = frozenset("must shall should ought".split())
_LICENCES: Final = frozenset("may might can could".split())
_NO_MORE: Final = (("no", "longer"), ("no", "more"))
_ONCE: Final = frozenset("once formerly previously".split())
_BEFORE: Final = 4
_TO_COME: Final = frozenset("going about due set scheduled slated bound ready".split())


_OBLIGES: Final = frozenset("have need require oblige".split())
_PERMITS: Final = frozenset("allow permit entitle".split())
FORMER: Final = frozenset("former ex ex- late erstwhile onetime".split())


class StatementManner(TypedDict, total=False):
    """`duty` is "must" or "may" where it says what must or may be, `tense` as `Clause` has it, `over` whether it is
    said to be so no more, `modality` another one than the clause's."""

    duty: str
    tense: str
    over: bool
    modality: str


def manner_of(clause: Clause, phrases: Phrases) -> StatementManner:
    manner: StatementManner = {
        "duty": _duty(clause, phrases), "tense": clause.tense, "over": _is_over(clause, phrases)
    }  # fmt: skip
    if is_still_to_come(clause.head, phrases.sentence):
        manner["tense"] = "future"
    above = _governor(clause.head, phrases.sentence)
    if above is not None and clause.modality in ("asserted", "planned"):
        manner["duty"], manner["modality"] = _duty_under(above), "possible"
    return manner


def is_still_to_come(verb: Token, sentence: ParsedSentence) -> bool:
    """ "Is to be sold", "is going to be enlarged", "are about to close", "was due to open": what was not done yet."""
    to = next(
        (c for c in sentence.children[verb.index] if c.text.lower() == "to" and c.index < verb.index), None
    )
    before = sentence.tokens[to.index - 1] if to is not None and to.index else None
    if before is None:
        return False
    helped = any(c.lemma.lower() == "be" for c in sentence.children[before.index])
    return before.text.lower() in ("is", "are") or (before.text.lower() in _TO_COME and helped)


def says_only_duty(word: Token, sentence: ParsedSentence) -> bool:
    """Whether a verb says no more than that what it governs must or may be: "has to insure", "is allowed to sublet"."""
    return any(_governor(child, sentence) is not None for child in sentence.children[word.index])


def _governor(head: Token, sentence: ParsedSentence) -> Token | None:
    """The verb by which a clause is a duty or allowed, None where there is none or it tells of what was."""
    marked = any(child.text.lower() == "to" for child in sentence.children[head.index])
    if head.relation != "xcomp" or head.head < 0 or not marked:
        return None
    above = sentence.tokens[head.head]
    children = sentence.children[above.index]
    passive = any(c.relation == "aux:pass" for c in children)
    helped = [c for c in children if c.relation.startswith("aux")]
    told = above.tag == "VBD" or any(c.tag in ("VBD", "VBN") for c in helped)
    active = above.lemma.lower() in ("have", "need") and not passive
    return above if not told and _duty_under(above) and (passive or active) else None


def _duty_under(above: Token) -> str:
    lemma = above.lemma.lower()
    return "must" if lemma in _OBLIGES else "may" if lemma in _PERMITS else ""


def _duty(clause: Clause, phrases: Phrases) -> str:
    words = {c.text.lower() for c in phrases.children(clause.head) if c.relation.startswith("aux")}
    return "must" if words & _DUTIES else "may" if words & _LICENCES else ""


def _is_over(clause: Clause, phrases: Phrases) -> bool:
    """ "No longer hangs", "used to hang", "once was"."""
    tokens, head = phrases.sentence.tokens, clause.head
    if clause.tense == "past":
        described = [head] if clause.complement is None else [head, clause.complement]
        before_it = [c for token in described for c in phrases.children(token) if c.index < token.index]
        if any(child.text.lower() in _ONCE for child in before_it):  # "won once" is how often
            return True
    before = [t.text.lower() for t in tokens[max(0, head.index - _BEFORE) : head.index]]
    if any(pair in _NO_MORE for pair in pairwise(before)):
        return True
    above = tokens[head.head] if head.head >= 0 else None
    return (
        above is not None
        and head.relation == "xcomp"
        and above.text.lower() == "used"
        and not any(c.relation.startswith("aux") for c in phrases.children(above))
    )
