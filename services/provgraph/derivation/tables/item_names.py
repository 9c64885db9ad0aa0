"""Line items by their names: the words that tell one, other names of the same, how far a label is what was asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from provgraph.derivation.tables.formulas import formulas
from provgraph.language.terms import FUNCTION_WORDS, terms

_SAYING_LITTLE: Final = FUNCTION_WORDS - frozenset("other before after no not all under over".split())
_NOISE: Final = frozenset(
    term
    for word in "quantity directly explicitly outlined stated shown disclosed listed "
    "does did do done has have had been large high fy fiscal year usd us dollar dollars "
    "million millions billion billions thousand thousands amount "
    "total end ended ending answer company much report reported value figure annual inc corp co segment "
    "division".split()
    for term in terms(word)
)
_OWNED: Final = re.compile(r"['’]s?\b")
_PLACE: Final = re.compile(r"\b(?:in|from|to|within|across|outside)(?:\s+the)?(?P<name>(?:\s+[A-Z]\S*)+)")
"""Names of what only a part of a company's figures are of."""
_PART: Final = re.compile(
    r"(?<![\w&-])(?P<name>[\w&-]+)\s+(?:segments?|divisions?|units?|brands?|regions?|subsidiar(?:y|ies))\b"
)
_NUMBERED: Final = re.compile(
    r"\b(?:scope|level|tier|phase|type|class|grade|category|stage|zone|band|line|terminal|unit|block|lot)\s(?P<number>\d)\b",
    re.IGNORECASE,
)
"""Numbers that name a thing: "Scope 3 emissions"."""
_ANY_PART: Final = frozenset(
    terms("business operating reportable reporting each per the its all geographic which what")
)
OTHERWISE: Final = re.compile(
    r"(?<!\s)\s*(?:/\s*)?\((?:loss|losses|used|decrease|increase|benefit|expense|deficit|income|gain)\b[^()]*\)",
    re.IGNORECASE,
)
"""How a label names its amount where the sign is the other."""
_UNNAMED: Final = 0.95
"""How well a line item fits without the names in the question, which may be of its company."""
_OTHER: Final = 0.91
"""How well the last of its other names fits, of which the first fit best."""
_BESIDE: Final = 0.9
Names = Sequence[Sequence[str]]
"""For each line item, its names."""


@dataclass(frozen=True)
class ItemName:
    """A way to name a line item, as words, and how well it fits (0…1). The `others`, beside the name in a question,
    must be said of the row too: "gross" of "gross profit", where profit is another name of income. The `foreign` are
    names of other line items: "property and equipment" is not what was spent for it."""

    words: tuple[str, ...]
    weight: float = 1.0
    others: frozenset[str] = frozenset()
    foreign: frozenset[tuple[str, ...]] = frozenset()

    def likeness(self, label: tuple[str, ...], beside: frozenset[str]) -> float:
        """How far a label is this name (0…1)."""
        said = beside.union(label)
        if not self.others <= said or (label in self.foreign and not said.issuperset(self.words)):
            return 0.0
        return likeness(self.words, label, beside) * self.weight


def groups_of(names: Names) -> list[list[tuple[str, ...]]]:
    """The names of each line item as words; figures that formulas derive have no other names."""
    derived = {content_of(name) for formula in formulas() for name in formula.names}
    groups = [[content_of(name) for name in group] for group in names]
    return [group for group in groups if not any(words in derived for words in group)]


def wanted_names(
    item: str,
    groups: Sequence[Sequence[tuple[str, ...]]],
    known: frozenset[str],
    vocabulary: frozenset[str] = frozenset(),
) -> list[ItemName]:
    """The line item as it is named, and by its other names, the best first.

    `known` are words of documents' titles. A name in the question that is not in the `vocabulary` of the tables may be
    that of the company: it need not be in a label.
    """
    own = tuple(term for term in content_of(item) if term not in known) or content_of(item)
    item_names = [ItemName(own)]
    bare = _PLACE.sub(" ", item)
    named = {term for word in bare.split() if word[:1].isupper() for term in terms(word)} - vocabulary
    common = tuple(term for term in own if term not in named)
    if common and common != own:
        item_names.append(ItemName(common, _UNNAMED))
    for name in tuple(item_names):
        for group in groups:
            held = max(
                (words for words in group if words and _within(words, name.words)), key=len, default=()
            )
            others = [words for words in group if words and words != held] if held else []
            left = frozenset(name.words) - set(held)
            foreign = frozenset(words for other in groups for words in other) - frozenset(group)
            item_names += [
                ItemName(
                    _replaced(held, words, name.words),
                    name.weight * max(_OTHER, 0.97 - 0.01 * place),
                    left,
                    foreign,
                )
                for place, words in enumerate(others)
            ]
    return item_names


def other_names(item: str, groups: Sequence[Sequence[tuple[str, ...]]]) -> list[tuple[str, ...]]:
    """The names of every line item that a text has one of, whatever else it says."""
    own = content_of(item)
    having = [group for group in groups if any(words and _within(words, own) for words in group)]
    return [words for group in having for words in group if words]


def _replaced(words: tuple[str, ...], other: tuple[str, ...], text: tuple[str, ...]) -> tuple[str, ...]:
    """The text with other words in the place of those that it holds."""
    at = next(at for at in range(len(text)) if text[at : at + len(words)] == words)
    return (*text[:at], *other, *text[at + len(words) :])


def places_in(item: str) -> frozenset[str]:
    """The words of the places and parts that only a part of a figure is of: "in Latin America", "the cards segment"."""
    names = [_OWNED.sub("", match["name"]) for match in (*_PLACE.finditer(item), *_PART.finditer(item))]
    return frozenset(term for name in names for term in terms(name)) - _NOISE - _ANY_PART


@lru_cache(8_192)
def content_of(text: str) -> tuple[str, ...]:
    """The words that tell a line item; all of them where only words that say little are there."""
    numbered = {match["number"] for match in _NUMBERED.finditer(text)}
    bare = [
        term
        for term in terms(_OWNED.sub("", text.replace("&", " and ")))
        if term in numbered or (term not in _SAYING_LITTLE and not term.isdigit())
    ]
    return tuple(term for term in bare if term not in _NOISE) or tuple(bare)


def telling_words(text: str) -> tuple[str, ...]:
    """The words of `content_of`, none where only words that say little are there."""
    return tuple(term for term in content_of(text) if term not in _NOISE)


def likeness(asked: tuple[str, ...], label: tuple[str, ...], beside: frozenset[str] = frozenset()) -> float:
    """How far a label is what was asked: all of its words there, and few others asked for.

    A word that is said `beside` the cell and not in its label counts a little less.
    """
    if not asked or not label:
        return 0.0
    own, other = set(asked), set(label)
    common = len(own & other)
    if not common:
        return 0.0
    told = common + _BESIDE * len((own & beside) - other)
    precision, recall = common / len(other), told / len(own)
    return 2 * precision * recall / (precision + recall)


def _within(words: tuple[str, ...], text: tuple[str, ...]) -> bool:
    return any(text[at : at + len(words)] == words for at in range(len(text) - len(words) + 1))


def names_in(question: str) -> set[str]:
    """The words that begin with a capital letter, but for the first of the question, and "The" within it."""
    words = (word for word in question.split()[1:] if word[:1].isupper())
    return {term for word in words for term in terms(word) if len(term) > 1 and term not in FUNCTION_WORDS}
