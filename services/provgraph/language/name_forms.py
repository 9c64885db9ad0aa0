"""The forms of a name: what two spellings of one name have in common, and by which rule. Pure functions of labels.

Only names have forms: labels with a capital letter, or in a script that has none. A form says what was folded away;
two labels may be one name when they share a form. Whether the things so named are one is not decided here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from provgraph.language.terms import fold

SPELLING, DIACRITICS, ABBREVIATION, TITLE, ORDER, LEGAL_FORM, ARTICLE = (
    "spelling",
    "diacritics",
    "abbreviation",
    "title",
    "order of names",
    "legal form",
    "article",
)
_RULES: Final = (SPELLING, DIACRITICS, ABBREVIATION, TITLE, ORDER, LEGAL_FORM, ARTICLE)

_TITLES: Final = frozenset(
    "dr prof professor sir dame mr mrs ms rev reverend president senator chancellor doctor".split()
)
_DEGREES: Final = frozenset("phd md esq msc bsc mba".split())
_LEGAL_FORMS: Final = frozenset(
    "inc incorporated ltd limited llc llp gmbh ag corp corporation co company plc sa nv bv oy ab spa pty kg".split()
)
_DOTTED: Final = re.compile(r"(?:[^\W\d_]\.\s?){2,7}[^\W\d_]?\Z")
_INITIAL: Final = re.compile(r"(?<=\b[^\W\d_])\.(?=[^\W\d_])")
_CAPITALS: Final = re.compile(r"[^\W\d_]{2,7}\Z")
_INVERTED: Final = re.compile(
    r"([^\W\d_][^\W\d_.'’ -]*(?: [^\W\d_][^\W\d_.'’-]*)?), ((?:[^\W\d_][^\W\d_'’-]*+\.? ?){1,3})\Z"
)
_APOSTROPHE: Final = re.compile(r"['’`.]")
_BREAK: Final = re.compile(r"[^\w+#]+")
_GERMAN: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae"})
_BRITISH: Final = re.compile(r"is(?=ation)")
_LONGEST: Final = 120


@lru_cache(maxsize=16_384)
def name_forms(label: str) -> Mapping[str, str]:
    """The forms of a label, each with the rule that makes it; none for a label that is no name.

    `name_forms("Dr. Kurt Gödel")` has "kurt godel" (title), "kurt goedel" (title) and "dr kurt godel" (spelling) among
    others.
    """
    label = " ".join(label.split())
    if not _is_name(label) or len(label) > _LONGEST:
        return {}
    forms: dict[str, str] = {}
    for form, rule in _forms(label):
        if len(form) > 1 and (form not in forms or _RULES.index(rule) < _RULES.index(forms[form])):
            forms[form] = rule
    return forms


def shared_rule(one: str, other: str) -> str:
    """The rule by which two labels are one name, or nothing: the plainest of those that lead to a form of both."""
    mine, theirs = name_forms(one), name_forms(other)
    rules = {max(mine[form], theirs[form], key=_RULES.index) for form in mine.keys() & theirs.keys()}
    if not rules:
        return ""
    rule = min(rules, key=_RULES.index)
    return DIACRITICS if rule == SPELLING and _accents_differ(one, other) else rule


def is_bare_company(label: str) -> bool:
    """Whether only one word is left of a company's name without its legal form, as of "Apple Inc."."""
    words = _words(label)
    return len(words) == 2 and words[-1] in _LEGAL_FORMS


def _forms(label: str) -> Iterator[tuple[str, str]]:
    if _DOTTED.match(label):
        yield f"={''.join(_words(label))}", ABBREVIATION
        return
    if _CAPITALS.match(label) and label.isupper():
        yield f"={fold(label)}", SPELLING
    for words, rule in _wordings(label):
        yield " ".join(words), rule
    german = label.casefold().translate(_GERMAN)
    if german != label.casefold():
        for words, rule in _wordings(german):
            yield " ".join(words), rule if rule != SPELLING else DIACRITICS


def _wordings(label: str) -> Iterator[tuple[list[str], str]]:
    words = _words(label)
    yield words, SPELLING
    bare = _untitled(words)
    if bare != words:
        yield bare, TITLE
    if len(words) > 1 and words[-1] in _LEGAL_FORMS:
        yield _unformed(words), LEGAL_FORM
    if len(words) > 2 and words[0] == "the":
        yield words[1:], ARTICLE
    if inverted := _INVERTED.match(label):
        yield _untitled(_words(f"{inverted[2]} {inverted[1]}")), ORDER


def _untitled(words: list[str]) -> list[str]:
    """Without titles and degrees, where two words at least are left: Dr. Watson stays as he is."""
    start, end = 0, len(words)
    while start < end and words[start] in _TITLES:
        start += 1
    while end > start and words[end - 1] in _DEGREES:
        end -= 1
    return words[start:end] if end - start > 1 else words


def _unformed(words: list[str]) -> list[str]:
    end = len(words)
    while end > 1 and words[end - 1] in _LEGAL_FORMS:
        end -= 1
    return words[:end]


def _words(label: str) -> list[str]:
    folded = _BRITISH.sub("iz", fold(_INITIAL.sub(" ", label))).replace("&", " and ")
    return _BREAK.sub(" ", _APOSTROPHE.sub("", folded)).split()


def _accents_differ(one: str, other: str) -> bool:
    return one.casefold() != other.casefold() and not (one.isascii() and other.isascii())


def _is_name(label: str) -> bool:
    """With a capital, or with a letter of a script that has no capitals."""
    return any(c.isupper() or (c.isalpha() and c.lower() == c.upper()) for c in label)
