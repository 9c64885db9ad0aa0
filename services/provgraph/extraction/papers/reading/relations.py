"""Which relation of the research ontology the words between two mentions say, and what it may hold between."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from provgraph.extraction.papers.reading.mentions import PaperMention, PaperSentence

METHODS: Final = frozenset({"METHOD", "ALGORITHM"})
IDEAS: Final = METHODS | {"CONCEPT"}
ANY: Final = IDEAS | {"DATASET", "METRIC"}
_BE: Final = (
    r"(?:,?\s*(?:which|that)\s+)?(?:,\s*)?(?:(?:is|are|was|were|has been|have been|can be|can|could|be)\s+)?"
    r"(?:(?:also|then|only|often|further|substantially|significantly|consistently|greatly)\s+)*"
)
_UP: Final = r"(?:(?:only|solely|mainly|partly|directly)\s+)?"


@dataclass(frozen=True)
class PaperRelation:
    """`label` is how a fact says it; `guess` is what a bare name is that stands at its subject, and at its object."""

    name: str
    label: str
    trigger: re.Pattern[str]
    subjects: frozenset[str]
    objects: frozenset[str]
    guess: tuple[str, str]

    @property
    def telling(self) -> bool:
        """Whether its words alone tell that both ends are methods: only what is measured outperforms anything."""
        return self.name == "IMPROVES"


def _relation(
    name: str, label: str, words: str, kinds: tuple[frozenset[str], frozenset[str]], guess: tuple[str, str]
) -> PaperRelation:
    return PaperRelation(name, label, re.compile(rf"{_BE}(?:{words})\Z", re.IGNORECASE), *kinds, guess)


_METHOD_TO_ANY: Final = (METHODS, ANY)
RELATIONS: Final = (
    _relation(
        "USES",
        "uses",
        rf"(?:pre-?|fine-?)?(?:trained|tuned|evaluated|tested|validated)\s+{_UP}(?:on|with)",
        (METHODS, frozenset({"DATASET"})),
        ("METHOD", "DATASET"),
    ),
    _relation(
        "USES",
        "uses",
        r"use[sd]?|using|employ(?:s|ed|ing)?|adopt(?:s|ed|ing)?|leverag(?:es|ed|ing)|utili[sz](?:es|ed|ing)|"
        r"rel(?:y|ies|ied|ying)\s+(?:up)?on",
        _METHOD_TO_ANY,
        ("METHOD", "METHOD"),
    ),
    _relation(
        "IMPROVES",
        "improves",
        r"(?:can |could )?(?:outperform(?:s|ed|ing)?|surpass(?:es|ed|ing)?|exceed(?:s|ed|ing)?|"
        r"improv(?:es?|ed|ing)(?:\s+(?:up)?on|\s+over)?)",
        (METHODS, METHODS | {"METRIC"}),
        ("METHOD", "METHOD"),
    ),
    _relation(
        "COMPARES_TO",
        "compares to",
        r"(?:in\s+comparison|compar(?:ed?|es|ing))\s+(?:to|with|against)|versus|vs\.?",
        (ANY, ANY),
        ("METHOD", "METHOD"),
    ),
    _relation(
        "BASED_ON",
        "based on",
        rf"{_UP}(?:based|built|built\s+on\s+top|builds?)\s+(?:up)?on|extends|(?:derived|adapted)\s+from",
        (ANY, ANY),
        ("METHOD", "METHOD"),
    ),
    _relation(
        "APPLIES_TO",
        "applies to",
        r"(?:applied|applies)\s+to|(?:used|designed|intended)\s+for|(?:can\s+)?performs?",
        (METHODS | {"METRIC"}, frozenset({"CONCEPT", "DATASET"})),
        ("METHOD", ""),
    ),
)

_OF_METHODS: Final = frozenset({"IMPROVES", "COMPARES_TO", "BASED_ON"})
"""Where these lead from a method to a plain name, that is a method too."""

_BEFORE_OBJECT: Final = re.compile(
    r"(?:\b(?:the|a|an|their|its|both|various|several|publicly|available|large|small|well-known|popular|strong|standard|"
    r"pre-?trained|pretrained|previous|existing|transformer-based|original|same)\s+){0,12}\Z",
    re.IGNORECASE,
)
_REFERENCE: Final = re.compile(r"(?<!\s)\s*(?:\[[\d,;\s–-]+\]|\([^()]{0,60}\d{4}[a-z]?\))")
_JOINED: Final = re.compile(r"\s*+(?:,|(?:,\s*)?(?:and|or))\s+(?:the\s+)?\Z", re.IGNORECASE)
_AND: Final = re.compile(r",?\s*(?:and|but)\s+", re.IGNORECASE)
_WORDS: Final = re.compile(r"\s+")


@dataclass(frozen=True)
class Related:
    """`sure` is false where a kind was guessed from the place of a bare name."""

    relation: PaperRelation
    subject: PaperMention
    object: PaperMention
    sure: bool


def related(sentence: PaperSentence, mentions: Sequence[PaperMention]) -> Iterator[Related]:
    """What the sentence says between mentions that stand side by side, and of each member of a list behind it. What
    goes on with "and" is said of the subject before: "uses BERT and is based on BM25"."""
    before: PaperMention | None = None
    for at, (nearest, following) in enumerate(pairwise(mentions)):
        between = _between(sentence, nearest, following)
        goes_on = _AND.match(between) if before else None
        subject = before if before and goes_on else nearest
        between = between[goes_on.end() :] if goes_on else between
        for relation in RELATIONS:
            if _says(relation, between):
                before = subject
                yield from _with_members(
                    relation, subject, [following, *_joined(sentence, mentions[at + 1 :])]
                )
                break


def _with_members(
    relation: PaperRelation, subject: PaperMention, members: Sequence[PaperMention]
) -> Iterator[Related]:
    for member in members:
        first, second = subject.kind or relation.guess[0], member.kind or relation.guess[1]
        if not (subject.kind or member.kind or relation.telling):
            continue
        if subject.plain or (member.plain and not (subject.kind and relation.name in _OF_METHODS)):
            continue
        if first in relation.subjects and second in relation.objects and subject.label != member.label:
            if relation.name == "COMPARES_TO" and not _alike(first, second):
                continue
            yield Related(
                relation, _of(subject, first), _of(member, second), bool(subject.kind and member.kind)
            )


def _alike(first: str, second: str) -> bool:
    """Only things of a kind are compared."""
    return first == second or {first, second} <= IDEAS


def _of(mention: PaperMention, kind: str) -> PaperMention:
    return PaperMention(mention.start, mention.end, mention.label, kind, mention.reach)


def _between(sentence: PaperSentence, first: PaperMention, second: PaperMention) -> str:
    """The words between two mentions in one line, without references to literature and what only leads to a name."""
    words = sentence.text[first.reach : second.start]
    words = _WORDS.sub(" ", _REFERENCE.sub(" ", words))
    return _BEFORE_OBJECT.sub("", words).strip()


def _says(relation: PaperRelation, between: str) -> bool:
    return bool(between) and bool(relation.trigger.match(between))


def _joined(sentence: PaperSentence, members: Sequence[PaperMention]) -> list[PaperMention]:
    """The members of a list that begins with the first of them."""
    mentions: list[PaperMention] = []
    for first, second in pairwise(members):
        words = _WORDS.sub(" ", _REFERENCE.sub("", sentence.text[first.reach : second.start]))
        if not _JOINED.match(words) or first.kind != second.kind:
            break
        mentions.append(second)
    return mentions
