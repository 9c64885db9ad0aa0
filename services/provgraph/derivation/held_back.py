"""Answers that are none, whatever they stand on: words that the question itself has, the number of those that did where
it asks how many did not, a name where it asks whether, what is told of the old mill for the new one.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from provgraph.derivation.affinity import stems
from provgraph.derivation.plain_kinds import is_of_plain_other_kind
from provgraph.derivation.question_forms import is_yes_no
from provgraph.derivation.result import Derived
from provgraph.language import wordnet
from provgraph.language.titles import without_titles
from provgraph.reading.entity_types import gender_of_name

_WORD: Final = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
_SEARCHED: Final = frozenset(("choose", "look up"))
"""Operations that find an answer, where others choose among what the question names."""
_COUNTS_OTHERS: Final = re.compile(
    r"\bhow (?:many|much)\b.{0,300}(?:\bnot?\b|n['’]t\b|\bnever\b)", re.IGNORECASE
)
_MANNER: Final = re.compile(r"how (?:do|does|did|can|could|should|may|must)\b", re.IGNORECASE)
_TRADE_ASKED: Final = re.compile(
    r"\bwhat(?:'s| is| was| were)\b.{0,200}\b(?:job|profession|occupation|trade)\b|\bfor a living\b",
    re.IGNORECASE,
)
_SUM_ASKED: Final = re.compile(
    r"(?:^|\b(?:at|for|to|by|of) )what (?:[\w-]+ ){0,2}"
    r"(?:fee|price|sum|amount|salary|rent|deposit|premium|percentage|share)"
    r" (?:must|may|can|is|was|are|were|does|do|did|has|have|will|would)\b",
    re.IGNORECASE,
)
_AMOUNT: Final = re.compile(r"\d|\b(?:half|third|quarter|fifth|tenth|nothing|free|none)")
_BY: Final = re.compile(r"\bby how (?:many|much)\b", re.IGNORECASE)
_DIFFERENCE: Final = re.compile(
    r"\bhow (?:many|much)\b.{0,200}\b(?:more|fewer|less|\w{2,}er)\b.{1,200}\bthan\b"
    r"|\bwhat (?:is|was) the difference\b|\bhow (?:many|much)\b.{0,200}\bsave\b"
    rf"|{_BY.pattern}",
    re.IGNORECASE,
)
_COMPARES: Final = re.compile(
    r"\b(?:than|more|fewer|less|exceed\w*|difference|gr[eo]w\w*|r[io]se\w*|f[ae]ll\w*|increas\w*|decreas\w*|gain\w*"
    r"|lost|longer|shorter|higher|lower|larger|smaller|older|younger|later|earlier|by [£$€]?\d)",
    re.IGNORECASE,
)
_CASE: Final = re.compile(r"\b(?:if|unless)\b[^,;.?]{1,120}", re.IGNORECASE)
_SHORTEST_NOUN: Final = 2
_WHY: Final = re.compile(r"\W*(?:why|for what reason)\b", re.IGNORECASE)
_NAME: Final = re.compile(r"\b[A-ZÀ-Þ][\w’'-]+")
_PARENT: Final = re.compile(r"\b(?:father|mother)\b", re.IGNORECASE)
_OF_TWO: Final = re.compile(r"\b(?:child|son|daughter|born) (?:of|to) [^.;]{1,80} and [^.;]{1,80}")
_DENIES: Final = re.compile(r"\b(?:not|no|none|never|neither|nor|without|unless)\b|n['’]t\b", re.IGNORECASE)


def is_held_back(found: Derived, question: str) -> bool:
    """Whether an answer only repeats the question, counts what it does not ask for, is of another kind, or is told of
    something else than the question asks about."""
    return any(is_none(found, question) for is_none in _REASONS)


def _is_no_yes(found: Derived, question: str) -> bool:
    """Whether it is asked whether, and the answer is a name or the like."""
    return is_yes_no(question) and found.kind != "yes-no" and " or " not in question


def _is_of_plain_other_kind(found: Derived, question: str) -> bool:
    """Whether it is a percentage for a place, a year for a price, or the like."""
    return found.kind not in ("yes-no", "list") and is_of_plain_other_kind(question, found.text)


def _is_no_way(found: Derived, question: str) -> bool:
    """Whether it is asked how something is done, and the answer is a name, a number or a date."""
    return bool(_MANNER.match(question)) and found.kind in ("entity", "number", "date")


def _is_of_opposite(found: Derived, question: str) -> bool:
    """Whether its sentence tells of the old mill where the new one is asked about."""
    if found.kind == "yes-no":
        return False
    cited = f" {' '.join(_cited(found)).casefold()}"
    return any(
        wordnet.known(noun, "n")
        and len(noun) > _SHORTEST_NOUN
        and f"{before} {noun}" not in cited
        and any(f" {other} {noun}" in cited for other in opposed)
        for before, noun in pairwise(_words(question))
        if (opposed := wordnet.opposites(before, "a"))
    )


def _is_reason_of_opposite(found: Derived, question: str) -> bool:
    """Whether it is asked why something was opened, and the sentence says why it was closed."""
    if not _WHY.match(question):
        return False
    said = {stem for sentence in _cited(found) for word in _words(sentence) for stem in stems(word)}
    return any(
        said.isdisjoint(stems(asked))
        and any(
            not said.isdisjoint(stems(other))
            for verb in stems(asked)
            for other in wordnet.opposites(verb, "v")
        )
        for asked in _words(question)
    )


def _is_one_of_parents(found: Derived, question: str) -> bool:
    """Whether a father or mother is asked for, and the sentence names two parents without telling which is which."""
    if not _PARENT.search(question) or gender_of_name(found.text):
        return False
    cited = " ".join(_cited(found))
    both = _OF_TWO.search(cited)
    if both is None or found.text not in both.group() or _PARENT.search(cited):
        return False
    return not any(gender_of_name(" ".join(_NAME.findall(each))) for each in both.group().split(" and "))


def _is_of_other_case(found: Derived, question: str) -> bool:
    """Whether it is asked what happens if something is so, and the sentence tells what happens if it is not."""
    asked, told = _CASE.search(question), _CASE.search(" ".join(_cited(found)))
    if asked is None or told is None or found.kind == "yes-no":
        return False
    return bool(_DENIES.search(told.group())) != bool(_DENIES.search(asked.group()))


def _is_one_of_two(found: Derived, question: str) -> bool:
    """Whether a difference is asked for, and the answer is a value that was neither subtracted nor is told of two."""
    is_value = _is_searched(found) and found.kind in ("number", "entity", "span", "date")
    if not is_value or not _DIFFERENCE.search(question):
        return False
    by_so_much = re.compile(rf"\b(?:by|of) (?:\w+ ){{0,2}}{re.escape(found.text)}")
    compares = by_so_much if _BY.search(question) else _COMPARES
    return not any(map(compares.search, _cited(found)))


def _is_no_trade(found: Derived, question: str) -> bool:
    """Whether somebody's trade is asked for, and the answer has no word for a person."""
    return bool(_TRADE_ASKED.search(question)) and not any(map(wordnet.is_person, _words(found.text)))


def _is_no_sum(found: Derived, question: str) -> bool:
    """Whether it is asked what fee somebody pays, and the answer is no amount: who pays it."""
    asked = _SUM_ASKED.search(question)
    return bool(asked) and found.kind in ("entity", "date") and not _AMOUNT.search(found.text.casefold())


def _repeats(found: Derived, question: str) -> bool:
    if found.kind not in ("entity", "span", "date") or " or " in question:
        return False
    if not _is_searched(found):
        return False
    own = without_titles(_words(found.text))
    asked = _words(question)
    return bool(own) and any(asked[at : at + len(own)] == own for at in range(len(asked)))


def _counts_others(found: Derived, question: str) -> bool:
    cited = _cited(found)
    return (
        found.kind == "number"
        and bool(cited and _COUNTS_OTHERS.search(question))
        and not any(_DENIES.search(sentence) for sentence in cited)
    )


def _is_searched(found: Derived) -> bool:
    return bool(found.steps) and found.steps[-1].operation in _SEARCHED


def _cited(found: Derived) -> list[str]:
    return [support.sentence.text for support in found.ending]


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


_REASONS: Final = (
    _is_no_yes, _is_no_way, _is_no_trade, _is_no_sum, _is_one_of_two, _is_of_opposite, _is_reason_of_opposite,
    _is_one_of_parents, _is_of_other_case, _repeats, _counts_others, _is_of_plain_other_kind,
)  # fmt: skip
